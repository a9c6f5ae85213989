import Cryptography
import Testing

@Suite("AES-256-GCM")
struct AES256GCMTests {
    /// A test case of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
    struct Case: Sendable, CustomTestStringConvertible {
        let number: Int
        let key, nonce, head, text, cipher, tag: String

        var testDescription: String { "test case \(number)" }
    }

    static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    static let text = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """
    static let cipher = """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """

    static let cases = [
        Case(
            number: 13, key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24), head: "", text: "", cipher: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Case(
            number: 14, key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24), head: "",
            text: String(repeating: "0", count: 32), cipher: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Case(
            number: 15, key: key, nonce: "cafebabefacedbaddecaf888", head: "",
            text: text + "1aafd255", cipher: cipher + "898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Case(
            number: 16, key: key, nonce: "cafebabefacedbaddecaf888",
            head: "feedfacedeadbeeffeedfacedeadbeefabaddad2", text: text, cipher: cipher,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test("Sealing and opening match the test cases of the authors of GCM", arguments: cases)
    func vectors(example: Case) {
        let key = SymmetricKey(Bytes.hexadecimal(example.key))
        let (head, text) = (Bytes.hexadecimal(example.head), Bytes.hexadecimal(example.text))
        let sealed = Bytes.hexadecimal(example.nonce + example.cipher + example.tag)
        #expect(
            AES256GCM.seal(
                text, by: key, nonce: Bytes.hexadecimal(example.nonce), authenticating: head)
                == sealed)
        #expect(AES256GCM.open(sealed[...], by: key, authenticating: head) == text)
    }

    @Test("A sealed text does not open with a changed bit, length, head or key")
    func changes() throws {
        LibCrypto.clearErrorQueue()
        let key = SymmetricKey.random()
        let (head, text) = (Array("v2.k1.".utf8), Array("what nobody else may know".utf8))
        let sealed = try #require(AES256GCM.seal(text, by: key, authenticating: head))
        #expect(sealed.count == text.count + AES256GCM.nonceCount + AES256GCM.tagCount)
        #expect(AES256GCM.open(sealed[...], by: key, authenticating: head) == text)
        for bit in 0..<sealed.count * 8 {
            var other = sealed
            other[bit / 8] ^= 1 << (bit % 8)
            try #require(AES256GCM.open(other[...], by: key, authenticating: head) == nil, "\(bit)")
        }
        for count in 0..<sealed.count {
            #expect(AES256GCM.open(sealed.prefix(count), by: key, authenticating: head) == nil)
            #expect(AES256GCM.open(sealed.suffix(count), by: key, authenticating: head) == nil)
        }
        #expect(AES256GCM.open((sealed + [0])[...], by: key, authenticating: head) == nil)
        for other in [[], Array("v2.k2.".utf8), head + [0]] {
            #expect(AES256GCM.open(sealed[...], by: key, authenticating: other) == nil)
        }
        #expect(AES256GCM.open(sealed[...], by: .random(), authenticating: head) == nil)
        #expect(!LibCrypto.hasQueuedError)
    }

    @Test("Keys and nonces of a wrong length are refused")
    func lengths() throws {
        for count in [0, 16, 24, 31, 33] {
            let key = SymmetricKey([UInt8](repeating: 1, count: count))
            #expect(AES256GCM.seal([1], by: key, authenticating: []) == nil)
            let sealed = [UInt8](repeating: 0, count: 40)
            #expect(AES256GCM.open(sealed[...], by: key, authenticating: []) == nil)
        }
        for count in [0, 11, 13, 16] {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(
                AES256GCM.seal([1], by: .random(), nonce: nonce, authenticating: []) == nil)
        }
    }

    @Test("Each sealed text has a different nonce")
    func nonces() throws {
        let key = SymmetricKey.random()
        let nonces = try (0..<1000).map { _ in
            Array(try #require(AES256GCM.seal([], by: key, authenticating: [])).prefix(12))
        }
        #expect(Set(nonces).count == 1000)
    }
}
