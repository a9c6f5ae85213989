/// The rules for the headers that a configuration and a client may supply. Source:
/// docs/backends.md, "http"; RFC 9110, 5.1, 5.6.2 and 7.6.1.
package enum HeaderRule {
    /// The headers that are reserved for the daemon. They delimit a message, belong to a
    /// connection, or are set by the daemon.
    private static let reservedForDaemon: Set<String> = [
        "accept-encoding", "connection", "content-encoding", "content-length", "expect",
        "http2-settings", "idempotency-key", "if-none-match", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The headers that are reserved for the configuration. They describe the target, the content,
    /// or the requested form of the answer.
    private static let reservedForConfiguration: Set<String> = [
        "accept", "content-range", "content-type", "host", "if-match", "if-modified-since",
        "if-range", "if-unmodified-since", "range",
    ]

    /// Returns the reason why a configuration cannot set a header; nil if it can. The case of
    /// `name` does not matter.
    package static func objection(toConfigured name: String) -> String? {
        guard isName(name) else { return "a header name consists of letters, digits and hyphens" }
        return isReservedForDaemon(name.lowercased())
            ? "this header is reserved for the daemon" : nil
    }

    /// Returns the reason why clients cannot supply a header; nil if they can.
    package static func objection(toForwarded name: String) -> String? {
        if let objection = objection(toConfigured: name.lowercased()) { return objection }
        guard name == name.lowercased() else { return "header names must be in lower case here" }
        return isReservedForConfiguration(name)
            ? "this header is reserved for the configuration" : nil
    }

    /// Returns whether only the daemon may set the header. `name` must be in lower case.
    static func isReservedForDaemon(_ name: String) -> Bool { reservedForDaemon.contains(name) }

    /// Returns whether the header is reserved for the configuration. `name` must be in lower case.
    static func isReservedForConfiguration(_ name: String) -> Bool {
        reservedForConfiguration.contains(name)
    }

    /// Returns whether the text is a valid header name: a token.
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
