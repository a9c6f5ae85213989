internal import RefreshProtocol

/// Which headers a configuration and a client may give. Sources: RFC 9110, 5.1, 5.5 and 5.6.2.
enum HTTPHeaderRules {
    /// What says where a message ends, which connection it is on, or what is ours to say: nobody
    /// else may.
    private static let reserved: Set = [
        "connection", "content-length", "expect", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "accept-encoding", "content-encoding", "idempotency-key", "if-none-match", "http2-settings",
    ]

    /// Beside these a client may not say whom it asks, what the body is and what it wants of it.
    private static let configurationOnly: Set = [
        "host", "accept", "content-type", "content-range", "range", "if-match", "if-range",
        "if-modified-since", "if-unmodified-since",
    ]

    static func check(
        headers: [HeaderField], forward: [String]
    ) throws(BackendConfigurationError) {
        var names: Set<String> = []
        for header in headers {
            let name = header.name.lowercased()
            try check(name, key: "headers")
            guard names.insert(name).inserted else {
                throw BackendConfigurationError("headers", "`\(name)` stands twice.")
            }
            guard isValue(header.value) else {
                throw BackendConfigurationError(
                    "headers", "The value of `\(name)` holds control characters.")
            }
        }
        for name in forward {
            try check(name, key: "forward")
            guard name == name.lowercased() else {
                throw BackendConfigurationError("forward", "`\(name)` must be in lower case.")
            }
            guard !configurationOnly.contains(name) else {
                throw BackendConfigurationError("forward", "`\(name)` cannot be a client's.")
            }
            guard names.insert(name).inserted else {
                throw BackendConfigurationError(
                    "forward", "`\(name)` stands twice, or in headers too.")
            }
        }
    }

    /// Whether a value ends where its header ends: it has no control character.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func check(
        _ name: String, key: String
    ) throws(BackendConfigurationError) {
        guard isToken(name) else {
            throw BackendConfigurationError(key, "`\(name)` is no name of a header.")
        }
        guard !reserved.contains(name) else {
            throw BackendConfigurationError(key, "`\(name)` is the daemon's own.")
        }
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
