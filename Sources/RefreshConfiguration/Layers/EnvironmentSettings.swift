internal import RefreshProtocol

/// The daemon's environment variables. Their values have not been parsed yet. Source:
/// docs/configuration.md, "Environment".
package struct EnvironmentSettings: Hashable, Sendable {
    struct Setting: Hashable, Sendable {
        var key: ScalarKey
        var text: String
    }

    /// The variable that names the configuration file.
    package static let fileVariable = "REFRESHD_CONFIG"

    /// The path of the configuration file; nil if `REFRESHD_CONFIG` is not set.
    package private(set) var file: String?
    /// The settings, in the order of the keys in a file.
    private(set) var settings: [Setting] = []

    /// An environment without variables of the daemon.
    package static let none = EnvironmentSettings()

    private init() {}

    /// Reads the variables that begin with `REFRESHD_`.
    ///
    /// - Throws: A problem for each variable that names no key, with the most similar known
    ///   variable.
    package init(_ variables: [String: String]) throws(ConfigurationError) {
        let own = variables.filter { $0.key.hasPrefix(ScalarKey.prefix) }
        file = own[Self.fileVariable]
        if file == "" {
            throw ConfigurationError(
                [ConfigurationProblem(key: Self.fileVariable, "names no file")])
        }
        settings = ScalarKey.all.compactMap { key in
            own[key.variable].map { Setting(key: key, text: $0) }
        }
        let known = [Self.fileVariable] + ScalarKey.all.map(\.variable)
        let unknown = Set(own.keys).subtracting(known).sorted()
        guard unknown.isEmpty else {
            throw ConfigurationError(
                unknown.map { ConfigurationProblem(key: $0, Self.hint(for: $0, among: known)) })
        }
    }

    /// Returns the hint for an unknown variable. The names are compared without their common
    /// prefix, which would make all names similar.
    private static func hint(for variable: String, among known: [String]) -> String {
        func key(_ variable: String) -> String {
            String(variable.dropFirst(ScalarKey.prefix.count))
        }
        let meant = SpellingSuggestion.suggestion(for: key(variable), among: known.map(key))
        return "names no configuration key"
            + (meant.map { "; did you mean `\(ScalarKey.prefix)\($0)`?" }
                ?? "; lists and mappings can be set only in the file")
    }
}

/// A key of the configuration that one environment variable can set. Its value is a scalar, or a
/// list that may be written as one scalar. The key is neither in a list nor in a table whose names
/// the operator chooses. Source: docs/configuration.md, "Environment".
struct ScalarKey: Hashable, Sendable {
    static let prefix = "REFRESHD_"

    /// The names from the top of the file to the key.
    let path: [String]
    /// Whether the value can have several parts, separated by commas.
    let isList: Bool

    /// The full key, as messages show it.
    var name: String { path.joined(separator: ".") }

    /// The environment variable that sets the key.
    var variable: String { Self.prefix + path.joined(separator: "_").uppercased() }

    /// All keys that one environment variable can set, in the order of the file.
    static let all: [ScalarKey] = ConfigurationShape.keys.leaves.compactMap { path, key in
        switch key.shape {
        case .list(let item, orOne: true, _) where item.isScalar:
            ScalarKey(path: path, isList: true)
        case let shape where shape.isScalar: ScalarKey(path: path, isList: false)
        default: nil
        }
    }
}
