/// A key of the configuration that one environment variable can set. Its value is a scalar, or a
/// list that may be written as one scalar. The key is neither in a list nor in a table whose names
/// the operator chooses. Source: docs/configuration.md, "Environment".
struct ScalarKey: Hashable, Sendable {
    static let prefix = "REFRESHD_"

    /// The names from the top of the file to the key.
    let path: [String]
    /// Whether the value may have several parts, separated by commas.
    let isList: Bool

    /// The full key, as messages show it.
    var name: String { path.joined(separator: ".") }

    /// The environment variable that sets the key.
    var variable: String { Self.prefix + path.joined(separator: "_").uppercased() }

    /// All such keys, in the order of the file.
    static let all: [ScalarKey] = keys(of: ConfigurationShape.keys, in: [])

    private static func keys(of table: [SettingsKey], in path: [String]) -> [ScalarKey] {
        table.flatMap { key -> [ScalarKey] in
            let path = path + [key.name]
            switch key.shape {
            case .table(let keys): return Self.keys(of: keys, in: path)
            case .list(let item, orOne: true, _) where item.isScalar:
                return [ScalarKey(path: path, isList: true)]
            case let shape where shape.isScalar: return [ScalarKey(path: path, isList: false)]
            default: return []
            }
        }
    }
}
