/// One value of the effective configuration, with its origin.
package struct ConfigurationEntry: Hashable, Sendable {
    package enum Origin: String, CaseIterable, Sendable {
        case flag, environment, file
        case standard = "default"
    }

    /// The keys from the top of the file to the value.
    package let path: [String]
    /// The value as YAML on one line, including secrets. It must not be shown.
    package let value: String
    /// The value without secrets, for the printed configuration.
    package let shown: String
    /// The value for logs, which more people can read than the printed configuration.
    package let logged: String
    package let origin: Origin

    /// The full key, as messages show it.
    package var name: String { path.joined(separator: ".") }
}
