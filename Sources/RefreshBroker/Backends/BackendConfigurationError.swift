/// The reason a configured backend cannot be created: one sentence for the operator.
package struct BackendConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration key that caused the error, such as `url` or `path`.
    package var key: String
    package var message: String

    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }

    package var description: String { "\(key): \(message)" }
}
