import Cryptography
import Testing

@Suite("Base32 and the seeds of nkeys")
struct NKeySeedTests {
    @Test(
        "Bytes have the text that RFC 4648, 10 states, without padding",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
        ])
    func base32(bytes: String, text: String) {
        #expect(Base32.text(of: Array(bytes.utf8)) == text)
        #expect(Base32.bytes(of: text[...]) == Array(bytes.utf8))
    }

    @Test(
        "A text that no bytes have is refused",
        arguments: ["M", "MZ", "MZX", "MZXW6Y", "my", "MY======", "M1", "MZXW6YTBA", "Ä"])
    func invalid(text: String) {
        #expect(Base32.bytes(of: text[...]) == nil)
    }

    /// A seed whose private key has the bytes 0 to 31.
    private static let seed = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"

    @Test("The seed of a user contains its private key")
    func seed() {
        #expect(NKeySeed(Self.seed[...])?.privateKey == Array(0..<32))
        // The example of the documentation of NATS.
        let example = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
        #expect(NKeySeed(example[...]) != nil)
    }

    @Test("A seed with a wrong character, or the seed of an account, is refused")
    func damaged() {
        for index in Self.seed.indices {
            var text = Self.seed
            let other = text[index] == "A" ? "B" : "A"
            text.replaceSubrange(index...index, with: other)
            #expect(NKeySeed(text[...]) == nil, "\(text)")
        }
        let account = "SAAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4HYMHI"
        #expect(NKeySeed(account[...]) == nil)
        #expect(NKeySeed("") == nil)
    }

    @Test("The checksum is CRC-16/XMODEM, whose check value is 0x31C3")
    func checksum() {
        #expect(NKeySeed.checksum(of: Array("123456789".utf8)[...]) == [0xC3, 0x31])
    }
}
