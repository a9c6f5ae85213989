internal import Yams

/// The entries of one mapping of a configuration file, and the table of its keys.
struct SettingsMapping {
    struct Entry {
        var name: String
        var keyNode: Node
        var value: Node
        /// The full key of the mapping that contains the entry; empty for the whole file.
        var path: String

        /// The full key of the entry, such as `log.level`.
        var key: String { path.isEmpty ? name : "\(path).\(name)" }
    }

    /// The node at which problems of the whole mapping are reported.
    var node: Node
    /// The full key of the mapping itself; empty for the whole file.
    var path: String
    var entries: [Entry]
    /// The keys that the mapping may have; empty if the operator chooses the names.
    var table: [SettingsKey] = []

    /// Returns the full key of an entry, even if there is no such entry.
    func key(_ name: String) -> String {
        self[entry: name]?.key ?? (path.isEmpty ? name : "\(path).\(name)")
    }

    subscript(name: String) -> Node? { self[entry: name]?.value }

    private subscript(entry name: String) -> Entry? { entries.first { $0.name == name } }

    /// Adds the entries of `other` whose names are missing in this mapping, and replaces the table
    /// by `table`. Each entry keeps its full key.
    mutating func complete(by other: SettingsMapping, table: [SettingsKey]) {
        for entry in other.entries where self[entry.name] == nil { entries.append(entry) }
        self.table = table
    }
}
