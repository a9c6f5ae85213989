import Testing

@testable import WebSocketTransport

@Suite struct HeaderTextTests {
    @Test(
        "A list of tokens is parsed, and a malformed list is rejected",
        arguments: [
            ("a", ["a"]), ("a, b ,c", ["a", "b", "c"]), ("a,,b", nil), ("", nil), ("a b", nil),
            ("refresh.v1", ["refresh.v1"]), ("\"a\"", nil),
        ] as [(String, [String]?)])
    func tokens(_ list: String, _ tokens: [String]?) {
        #expect(HeaderText.tokens(list) == tokens)
    }

    @Test(
        "The search for a token in a list ignores upper and lower case",
        arguments: [
            ("keep-alive, Upgrade", true), ("UPGRADE", true), ("upgrades", false), ("", false),
        ])
    func names(_ list: String, _ isNamed: Bool) {
        #expect(HeaderText.list(list, contains: "upgrade") == isNamed)
    }

    @Test(
        "A length consists of digits, and there may be blanks around it",
        arguments: [
            ("0", 0), ("17", 17), ("007", 7), (" 3\t", 3),
            ("99999999999999999", 99_999_999_999_999_999),
            ("", nil), (" ", nil), ("+3", nil), ("-3", nil), ("3,3", nil), ("3 3", nil),
            ("3.0", nil),
            ("0x3", nil), ("\u{663}", nil), ("5\u{301}", nil), ("0000000000000000003", nil),
        ] as [(String, Int?)])
    func length(_ text: String, _ length: Int?) {
        #expect(HeaderText.length(text) == length)
    }

    @Test(
        "The value of Sec-WebSocket-Key must be the base64 form of sixteen bytes",
        arguments: [
            ("dGhlIHNhbXBsZSBub25jZQ==", true), ("dGhlIHNhbXBsZSBub25jZQ=", false),
            ("dGhlIHNhbXBsZSBub25j Q==", false), ("", false), ("dGhlIHNhbXBsZSBub25jZQAA", false),
        ])
    func nonce(_ key: String, _ isNonce: Bool) {
        #expect(HeaderText.isNonce(key) == isNonce)
    }
}
