/// Which headers a configuration may name. Source: docs/backends.md, "http"; RFC 9110, 5.1 and 7.6.1.
enum HeaderRule {
    /// They say how a message is sent or where it goes: the daemon's own business.
    private static let own: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host",
        "http2-settings", "idempotency-key", "if-none-match", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "accept-encoding",
    ]

    /// Why a header cannot be one of clients; nil if it can.
    static func objection(toForwarded name: String) -> String? {
        guard isName(name) else { return "a header's name is letters, digits and hyphens" }
        guard name == name.lowercased() else { return "header names stand here in lower case" }
        return own.contains(name) ? "this header is the daemon's own" : nil
    }

    /// A token.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
