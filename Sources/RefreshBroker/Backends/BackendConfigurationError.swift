/// Why a backend cannot be made as configured: one sentence for the operator.
package struct BackendConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration key at fault, as `url` or `path`.
    package var key: String
    package var message: String

    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }

    package var description: String { "\(key): \(message)" }
}
