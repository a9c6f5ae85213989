internal import RefreshProtocol

/// The variables of the environment, not yet parsed. Source: docs/configuration.md, "Environment".
package struct EnvironmentSettings: Hashable, Sendable {
    struct Setting: Hashable, Sendable {
        var key: ScalarKey
        var text: String
    }

    /// The variable that names the configuration file.
    package static let fileVariable = "REFRESHD_CONFIG"

    /// The configuration file; nil: none is named.
    package private(set) var file: String?
    /// In the order of the file.
    private(set) var settings: [Setting] = []

    /// No variables at all.
    package static let none = EnvironmentSettings()

    private init() {}

    /// Selects the variables that begin with `REFRESHD_`.
    ///
    /// - Throws: each that names no key, with the most similar known one.
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

    /// Compares without the common prefix, which would make all variables similar.
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
