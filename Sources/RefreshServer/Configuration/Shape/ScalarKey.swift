/// A key of the configuration that one variable of the environment can set: its value is a scalar,
/// and so is nothing on the way to it a list or a table of chosen names. Source:
/// docs/configuration.md, "Environment".
struct ScalarKey: Hashable, Sendable {
    static let prefix = "REFRESHD_"

    /// From the top of the file.
    let path: [String]
    /// Whether the value may have several parts, with commas between them.
    let isList: Bool

    /// As messages name it.
    var name: String { path.joined(separator: ".") }

    /// The variable that sets it.
    var variable: String { Self.prefix + path.joined(separator: "_").uppercased() }

    /// All there are, in the order of the file.
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
