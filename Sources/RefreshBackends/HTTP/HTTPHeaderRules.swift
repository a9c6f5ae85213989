internal import RefreshProtocol

/// Checks the headers of a feed against `HeaderRule`. Source: RFC 9110, 5.5.
enum HTTPHeaderRules {
    static func check(
        headers: [HeaderField], forward: [String]
    ) throws(BackendConfigurationError) {
        var names: Set<String> = []
        for header in headers {
            let name = header.name.lowercased()
            try check(name, key: "headers")
            guard names.insert(name).inserted else {
                throw BackendConfigurationError("headers", "`\(name)` occurs twice.")
            }
            guard isValue(header.value) else {
                throw BackendConfigurationError(
                    "headers", "The value of `\(name)` contains control characters.")
            }
        }
        for name in forward {
            try check(name, key: "forward")
            guard name == name.lowercased() else {
                throw BackendConfigurationError("forward", "`\(name)` must be in lower case.")
            }
            guard !HeaderRule.isReservedForConfiguration(name) else {
                throw BackendConfigurationError("forward", "`\(name)` cannot come from a client.")
            }
            guard names.insert(name).inserted else {
                throw BackendConfigurationError(
                    "forward", "`\(name)` occurs twice, or also in headers.")
            }
        }
    }

    /// Returns whether a value has no control characters, so that it cannot break out of its
    /// header.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func check(
        _ name: String, key: String
    ) throws(BackendConfigurationError) {
        guard HeaderRule.isName(name) else {
            throw BackendConfigurationError(key, "`\(name)` is not a header name.")
        }
        guard !HeaderRule.isReservedForDaemon(name) else {
            throw BackendConfigurationError(key, "`\(name)` is reserved for the daemon.")
        }
    }
}
