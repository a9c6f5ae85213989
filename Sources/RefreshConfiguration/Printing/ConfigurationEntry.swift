/// One value of the effective configuration, with its origin.
package struct ConfigurationEntry: Hashable, Sendable {
    package enum Origin: String, CaseIterable, Sendable {
        case flag, environment, file
        case standard = "default"
    }

    /// From the top of the file.
    package let path: [String]
    /// YAML on one line, secrets included. It must not be shown.
    package let value: String
    /// The same without secrets, for the printed configuration.
    package let shown: String
    /// The same for logs, which have more readers.
    package let logged: String
    package let origin: Origin

    /// The full key, as in messages.
    package var name: String { path.joined(separator: ".") }
}
