internal import Yams

/// The entries of one mapping of a configuration file.
struct SettingsMapping {
    struct Entry {
        var name: String
        var keyNode: Node
        var value: Node
        /// The full key of the mapping that contains the entry; empty for the whole file.
        var path: String

        /// The full key.
        var key: String { path.isEmpty ? name : "\(path).\(name)" }
    }

    var node: Node
    /// The key of the mapping itself; empty for the whole file.
    var path: String
    var entries: [Entry]

    /// Returns the full key of an entry, even if there is no such entry.
    func key(_ name: String) -> String {
        self[entry: name]?.key ?? (path.isEmpty ? name : "\(path).\(name)")
    }

    subscript(name: String) -> Node? { self[entry: name]?.value }

    private subscript(entry name: String) -> Entry? { entries.first { $0.name == name } }

    /// Returns these entries and the entries of `other` whose names are missing here. Each entry
    /// keeps its full key.
    func completed(by other: SettingsMapping) -> SettingsMapping {
        var result = self
        for entry in other.entries where self[entry.name] == nil { result.entries.append(entry) }
        return result
    }

    func without(_ name: String) -> SettingsMapping {
        var result = self
        result.entries.removeAll { $0.name == name }
        return result
    }
}
