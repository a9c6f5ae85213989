/// Which headers a configuration and a client may give. Source: docs/backends.md, "http"; RFC 9110,
/// 5.1, 5.6.2 and 7.6.1.
package enum HeaderRule {
    /// They say where a message ends and which connection it is on, or are the daemon's to say.
    private static let own: Set<String> = [
        "accept-encoding", "connection", "content-encoding", "content-length", "expect",
        "http2-settings", "idempotency-key", "if-none-match", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Beside them: whom it is for, what is in it, and what is wanted of it.
    private static let configured: Set<String> = [
        "accept", "content-range", "content-type", "host", "if-match", "if-modified-since",
        "if-range", "if-unmodified-since", "range",
    ]

    /// Why a header cannot be one of the configuration, whatever its case; nil if it can.
    package static func objection(toConfigured name: String) -> String? {
        guard isName(name) else { return "a header's name is letters, digits and hyphens" }
        return isDaemonsOwn(name.lowercased()) ? "this header is the daemon's own" : nil
    }

    /// Why a header cannot be one of clients; nil if it can.
    package static func objection(toForwarded name: String) -> String? {
        if let objection = objection(toConfigured: name.lowercased()) { return objection }
        guard name == name.lowercased() else { return "header names stand here in lower case" }
        return isConfigurationsOwn(name) ? "this header is the configuration's own" : nil
    }

    /// Whether nobody but the daemon says it; `name` in lower case, as below.
    static func isDaemonsOwn(_ name: String) -> Bool { own.contains(name) }

    /// Whether a configuration may say it, and a client may not.
    static func isConfigurationsOwn(_ name: String) -> Bool { configured.contains(name) }

    /// Whether it can be the name of a header: a token.
    package static func isName(_ text: String) -> Bool {
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
