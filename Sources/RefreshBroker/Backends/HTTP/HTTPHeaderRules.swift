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
            guard !HeaderRule.isConfigurationsOwn(name) else {
                throw BackendConfigurationError("forward", "`\(name)` cannot be a client's.")
            }
            guard names.insert(name).inserted else {
                throw BackendConfigurationError(
                    "forward", "`\(name)` stands twice, or in headers too.")
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
            throw BackendConfigurationError(key, "`\(name)` is no name of a header.")
        }
        guard !HeaderRule.isDaemonsOwn(name) else {
            throw BackendConfigurationError(key, "`\(name)` is the daemon's own.")
        }
    }
}
