import Foundation
import RefreshProtocol
import Testing

@Suite("Base64 and base64url")
struct Base64Tests {
    /// The test vectors of RFC 4648, section 10.
    private static let vectors = [
        "": "", "Zg==": "f", "Zm8=": "fo", "Zm9v": "foo", "Zm9vYg==": "foob", "Zm9vYmE=": "fooba",
        "Zm9vYmFy": "foobar",
    ]

    @Test("Base64 is decoded as RFC 4648 defines it", arguments: vectors)
    func standard(_ text: String, _ decoded: String) {
        #expect(Base64.bytes(of: text) == Array(decoded.utf8))
    }

    @Test("Base64url has the digits of base64, and no padding", arguments: vectors)
    func url(_ text: String, _ decoded: String) {
        let digits = text.prefix { $0 != "=" }
        #expect(Base64URL.text(of: Array(decoded.utf8)) == digits)
        #expect(Base64URL.bytes(of: digits) == Array(decoded.utf8))
    }

    @Test("The last two digits differ")
    func lastDigits() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
        #expect(Base64.bytes(of: "+/+/") == bytes)
        #expect(Base64URL.bytes(of: "-_-_") == bytes)
        #expect(Base64URL.text(of: bytes) == "-_-_")
    }

    @Test(
        "A text that is not exactly the encoding of bytes is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Z===", "Zm9v\n", "Zm-_", "=m9v", "Zg==Zg==",
            "Zm9vé",
        ])
    func refused(_ text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }

    @Test(
        "A text that is not exactly base64url is refused",
        arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm9vY", "Zm9v\n", "+/+/", "Zm9v.", " Zm9v", "Zm9vé"])
    func refusedURL(_ text: String) {
        #expect(Base64URL.bytes(of: text[...]) == nil)
    }

    @Test("The encodings of random bytes are those of Foundation")
    func random() {
        var random = SeededGenerator("Base64Tests", seed: .random(in: 0 ... .max))
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let standard = Data(bytes).base64EncodedString()
            let url = standard.replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(Base64.bytes(of: standard) == bytes)
            #expect(Base64URL.text(of: bytes) == url)
            #expect(Base64URL.bytes(of: url[...]) == bytes)
        }
    }
}
