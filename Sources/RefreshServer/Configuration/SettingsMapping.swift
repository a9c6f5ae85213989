internal import Yams

/// The entries of one mapping of a configuration file.
struct SettingsMapping {
    struct Entry {
        var name: String
        var keyNode: Node
        var value: Node
    }

    var node: Node
    /// The key of the mapping itself; empty for the whole file.
    var path: String
    var entries: [Entry]

    /// The whole key of an entry.
    func key(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    subscript(name: String) -> Node? { entries.first { $0.name == name }?.value }

    /// These entries, and those of `shared` that are not among them.
    func completed(by shared: SettingsMapping) -> SettingsMapping {
        var result = self
        for entry in shared.entries where self[entry.name] == nil { result.entries.append(entry) }
        return result
    }
}
