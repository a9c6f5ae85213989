import Cryptography
import Testing

@Suite("Hashes, authentication codes and derived keys")
struct HashTests {
    @Test("SHA-256 matches the examples of FIPS 180-4")
    func sha256() {
        let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        let examples: [([UInt8], String)] = [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
        for (bytes, digest) in examples {
            #expect(SHA256.digest(of: bytes) == Bytes.hexadecimal(digest))
        }
    }

    @Test("Digests are equal only if all their bytes and their lengths are equal")
    func equality() {
        let digest = SHA256.digest(of: [1])
        #expect(SHA256.areEqual(digest, SHA256.digest(of: [1])))
        for index in digest.indices {
            var other = digest
            other[index] ^= 0x80
            #expect(!SHA256.areEqual(digest, other))
        }
        #expect(!SHA256.areEqual(digest, []) && !SHA256.areEqual(digest, digest + [0]))
        #expect(!SHA256.areEqual(digest.dropLast(), digest) && SHA256.areEqual([], []))
    }

    @Test("HMAC with SHA-256 matches the examples of RFC 4231")
    func hmac() {
        let examples: [([UInt8], String, String)] = [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, text, expected) in examples {
            let key = SymmetricKey(key)
            let code = HMACSHA256.authenticationCode(of: Array(text.utf8), by: key)
            #expect(code == Bytes.hexadecimal(expected))
            #expect(HMACSHA256.isValid(code, of: Array(text.utf8), by: key))
            // A prefix of a valid code is not valid.
            #expect(!HMACSHA256.isValid(Array(code.prefix(16)), of: Array(text.utf8), by: key))
            #expect(!HMACSHA256.isValid([], of: Array(text.utf8), by: key))
            #expect(!HMACSHA256.isValid(code, of: Array(text.utf8) + [0], by: key))
        }
        #expect(
            HMACSHA256.authenticationCode(of: [], by: SymmetricKey([]))
                == Bytes.hexadecimal(
                    "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test("The HMAC of RFC 7515, A.1, is valid")
    func jsonWebSignature() {
        let key = Bytes.base64URL(
            "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        )
        let text =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
            + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let code = Bytes.base64URL("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(HMACSHA256.isValid(code, of: Array(text.utf8), by: SymmetricKey(key)))
    }

    @Test("HKDF with SHA-256 matches the examples of RFC 5869, A.1 to A.3")
    func hkdf() {
        let long = HKDFSHA256.key(
            from: SymmetricKey(Array(0x00...0x4F)), salt: Array(0x60...0xAF),
            info: Array(0xB0...0xFF), byteCount: 82)
        #expect(
            long.bytes
                == Bytes.hexadecimal(
                    "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271"
                        + "cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
                ))
        let input = SymmetricKey([UInt8](repeating: 0x0B, count: 22))
        let basic = HKDFSHA256.key(
            from: input, salt: Array(0x00...0x0C), info: Array(0xF0...0xF9), byteCount: 42)
        #expect(
            basic.bytes
                == Bytes.hexadecimal(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
                ))
        let bare = HKDFSHA256.key(from: input, info: [], byteCount: 42)
        #expect(
            bare.bytes
                == Bytes.hexadecimal(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
                ))
        let zeros = [UInt8](repeating: 0, count: SHA256.byteCount)
        #expect(HKDFSHA256.key(from: input, salt: zeros, info: [], byteCount: 42) == bare)
    }

    @Test("A key contains the bytes that it was created from, but its description does not")
    func secrets() {
        let key = SymmetricKey([1, 2, 3])
        #expect(key.bytes == [1, 2, 3] && key.byteCount == 3)
        #expect(key == SymmetricKey([1, 2, 3]) && key != SymmetricKey([1, 2, 4]))
        #expect(key != SymmetricKey([1, 2]) && SymmetricKey([]) == SymmetricKey([]))
        #expect("\(key)" == "a key of 3 bytes" && String(reflecting: key) == "a key of 3 bytes")
        #expect(SymmetricKey.random().byteCount == 32)
        #expect(SymmetricKey.random() != SymmetricKey.random())
    }
}
