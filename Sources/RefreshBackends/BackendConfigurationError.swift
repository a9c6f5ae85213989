/// The reason why a configured backend cannot be created, as one sentence for the operator.
package struct BackendConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration key that caused the error, such as `url` or `path`.
    package var key: String
    /// What is wrong with the value of the key, without the key and without secrets.
    package var message: String

    /// Creates an error for a configuration key.
    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }

    /// The key and the message, for the operator.
    package var description: String { "\(key): \(message)" }
}
