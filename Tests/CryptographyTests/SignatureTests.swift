import Cryptography
import Testing

/// Valid signatures and, above all, invalid ones. The valid signatures are from RFC 7515, appendix
/// A.
@Suite("Signatures")
struct SignatureTests {
    static let payload =
        ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
        + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    enum RSA {
        static let text = Array(("eyJhbGciOiJSUzI1NiJ9" + payload).utf8)
        static let modulus = Bytes.base64URL(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0"
                + "Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSX"
                + "ndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I"
                + "5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
        static let exponent = Bytes.base64URL("AQAB")
        /// The modulus of a real key with 1,024 bits.
        static let weakModulus = Bytes.hexadecimal(
            """
            af5bd778ca2aa837f64760108c7e4a1d5c59facc3a870e710b6d2201caafde44
            27fa2427ed45d5e39c30d826c4c7d458b3c932d3a068acbbebacae47e0403645
            3273c763d407d1b51997fa088083b4276a5e39140f2f0c9953e1fa37fcfcec64
            720d84952581d8c7c82d182e1547e4cef9660557974fb680e41e1a5869b67db5
            """)
        static let signature = Bytes.base64URL(
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2"
                + "Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
                + "jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCn"
                + "vWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
    }

    enum P256 {
        static let text = Array(("eyJhbGciOiJFUzI1NiJ9" + payload).utf8)
        static let x = Bytes.base64URL("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
        static let y = Bytes.base64URL("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        static let signature = Bytes.base64URL(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        )
        /// The number of points of the curve.
        static let order = Bytes.hexadecimal(
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        /// The prime of the curve's field.
        static let prime = Bytes.hexadecimal(
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    }

    static func flips(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.map { index in
            var other = bytes
            other[index] ^= 1 << (index % 8)
            return other
        }
    }

    @Test("RSA: the signature of RFC 7515, A.2, is valid for its text and for no other")
    func rsa() throws {
        LibCrypto.clearErrorQueue()
        let key = try #require(RSAPublicKey(modulus: RSA.modulus, exponent: RSA.exponent))
        #expect(key.isSignature(RSA.signature, of: RSA.text))
        #expect(!key.isSignature(RSA.signature, of: RSA.text + [0]))
        #expect(!key.isSignature(RSA.signature, of: []))
        for other in Self.flips(RSA.signature) {
            try #require(!key.isSignature(other, of: RSA.text))
        }
        for other in [
            [], [0], Array(RSA.signature.dropLast()), Array(RSA.signature.dropFirst()),
            [0] + RSA.signature, RSA.signature + [0], [UInt8](repeating: 0, count: 256),
            [UInt8](repeating: 0xFF, count: 256), RSA.modulus,
        ] {
            #expect(!key.isSignature(other, of: RSA.text))
        }
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("RSA: leading zeros of the modulus and the exponent are ignored")
    func rsaZeros() throws {
        let key = try #require(
            RSAPublicKey(modulus: [0, 0] + RSA.modulus, exponent: [0] + RSA.exponent))
        #expect(key.isSignature(RSA.signature, of: RSA.text))
    }

    @Test("RSA: numbers are refused if their key would be invalid, too weak or too slow")
    func rsaKeys() {
        LibCrypto.clearErrorQueue()
        let even = RSA.modulus.dropLast() + [0xA0]
        let short = [0x21] + RSA.modulus.dropFirst()
        let long = [UInt8](repeating: 0xFF, count: 1025)
        let moduli: [[UInt8]] = [
            [], [0], [1], Array(even), Array(short), RSA.weakModulus, long,
        ]
        for modulus in moduli {
            #expect(RSAPublicKey(modulus: modulus, exponent: RSA.exponent) == nil)
        }
        let exponents: [[UInt8]] = [
            [], [0], [1], [2], [1, 0, 0], [4, 0, 0, 0, 1], [UInt8](repeating: 0xFF, count: 256),
        ]
        for exponent in exponents {
            #expect(RSAPublicKey(modulus: RSA.modulus, exponent: exponent) == nil, "\(exponent)")
        }
        for exponent: [UInt8] in [[3], [1, 0, 1], [1, 0xFF, 0xFF, 0xFF, 0xFF]] {
            #expect(RSAPublicKey(modulus: RSA.modulus, exponent: exponent) != nil, "\(exponent)")
        }
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("P-256: the signature of RFC 7515, A.3, is valid for its text and for no other")
    func p256() throws {
        LibCrypto.clearErrorQueue()
        let key = try #require(P256PublicKey(x: P256.x, y: P256.y))
        #expect(key.isSignature(P256.signature, of: P256.text))
        #expect(!key.isSignature(P256.signature, of: P256.text + [0]))
        #expect(!key.isSignature(P256.signature, of: []))
        for other in Self.flips(P256.signature) {
            try #require(!key.isSignature(other, of: P256.text))
        }
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("P-256: a signature with a number that is 0, or not below the curve's order, is invalid")
    func p256Range() throws {
        LibCrypto.clearErrorQueue()
        let key = try #require(P256PublicKey(x: P256.x, y: P256.y))
        let (r, s) = (Array(P256.signature.prefix(32)), Array(P256.signature.suffix(32)))
        let zero = [UInt8](repeating: 0, count: 32)
        let most = [UInt8](repeating: 0xFF, count: 32)
        for number in [zero, P256.order, P256.prime, most] {
            for signature in [number + s, r + number, number + number] {
                #expect(!key.isSignature(signature, of: P256.text))
            }
        }
        #expect(!key.isSignature(s + r, of: P256.text))
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("P-256: a signature in another encoding is invalid, even if its numbers are right")
    func p256Forms() throws {
        let key = try #require(P256PublicKey(x: P256.x, y: P256.y))
        let (r, s) = (Array(P256.signature.prefix(32)), Array(P256.signature.suffix(32)))
        // The encoding of X.509: RFC 3279, 2.2.3. The highest bit of s is set, so a zero precedes
        // it.
        let encoded: [UInt8] = [0x30, 69, 0x02, 32] + r + [0x02, 33, 0] + s
        for signature in [
            encoded, [], r, Array(P256.signature.dropLast()), Array(P256.signature.dropFirst()),
            [0] + P256.signature, P256.signature + [0], [0] + r + [0] + s,
        ] {
            #expect(!key.isSignature(signature, of: P256.text))
        }
    }

    @Test("P-256: numbers that are not a point of the curve are refused")
    func p256Keys() {
        LibCrypto.clearErrorQueue()
        let zero = [UInt8](repeating: 0, count: 32)
        let most = [UInt8](repeating: 0xFF, count: 32)
        for (x, y) in [
            (zero, zero), (P256.y, P256.x), (P256.x, zero), (P256.prime, P256.y),
            (most, most), (P256.x, P256.prime), ([], []), (Array(P256.x.dropLast()), P256.y),
            (P256.x, P256.y + [0]), ([0] + P256.x, P256.y),
        ] {
            #expect(P256PublicKey(x: x, y: y) == nil)
        }
        for other in Self.flips(P256.y) { #expect(P256PublicKey(x: P256.x, y: other) == nil) }
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("Many threads can verify signatures with one key")
    func threads() async throws {
        let rsa = try #require(RSAPublicKey(modulus: RSA.modulus, exponent: RSA.exponent))
        let p256 = try #require(P256PublicKey(x: P256.x, y: P256.y))
        let verdicts = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { rsa.isSignature(RSA.signature, of: RSA.text) }
                group.addTask { p256.isSignature(P256.signature, of: P256.text) }
                group.addTask { !rsa.isSignature(P256.signature, of: RSA.text) }
                group.addTask { !p256.isSignature(P256.signature, of: RSA.text) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.count == 800 && verdicts.allSatisfy(\.self))
    }
}
