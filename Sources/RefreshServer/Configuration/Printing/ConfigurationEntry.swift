/// One value of the configuration in effect, and where it comes from.
package struct ConfigurationEntry: Hashable, Sendable {
    package enum Origin: String, CaseIterable, Sendable {
        case flag, environment, file
        case standard = "default"
    }

    /// From the top of the file.
    package let path: [String]
    /// As YAML on one line; not for anybody's eyes.
    package let value: String
    /// The same without its secrets, for whoever asks for it.
    package let shown: String
    /// The same for logs, which more may read.
    package let logged: String
    package let origin: Origin

    /// As messages name it.
    package var name: String { path.joined(separator: ".") }
}
