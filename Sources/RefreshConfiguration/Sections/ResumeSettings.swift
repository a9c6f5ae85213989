internal import Yams

/// The settings for resuming sessions. Source: docs/configuration.md, "resume".
package struct ResumeSettings: Hashable, Sendable {
    /// A key and its file.
    package struct Key: Hashable, Sendable {
        /// The key's name in snapshots.
        package var id: String
        /// The path of the file.
        package var file: String

        package init(id: String, file: String) {
            self.id = id
            self.file = file
        }
    }

    /// The keys. The first key seals snapshots. If there are no keys, the daemon creates one. The
    /// created key is kept in the state folder. Without a state folder, it is lost when the process
    /// ends.
    package var keys: [Key]
    /// The folder in which the daemon creates and keeps a key; nil if there is no such folder.
    package var stateFolder: String?
    /// Whether sealed snapshots are sent and accepted.
    package var snapshots: Bool

    package init(keys: [Key] = [], stateFolder: String? = nil, snapshots: Bool = true) {
        self.keys = keys
        self.stateFolder = stateFolder
        self.snapshots = snapshots
    }
}

/// Reads `resume` of a configuration file. Source: docs/configuration.md, "resume".
///
/// The key files are read elsewhere: at the start of the daemon and at each reload.
struct ResumeReader {
    /// The base of relative paths.
    let folder: ConfigurationFolder

    func settings(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> ResumeSettings? {
        guard let section = reader.table("resume", in: top) else { return nil }
        return ResumeSettings(
            keys: keys(section, with: &reader),
            stateFolder: reader.string("stateFolder", in: section).map(folder.resolve(_:)),
            snapshots: reader.boolean("snapshots", in: section)
                ?? ResumeSettings().snapshots)
    }

    private func keys(
        _ section: SettingsMapping, with reader: inout SettingsReader
    ) -> [ResumeSettings.Key] {
        if let node = section["keys"], case .sequence(let items) = node, items.isEmpty {
            reader.report("at least one key is required", key: section.key("keys"), at: node)
        }
        return reader.tables("keys", in: section, read: key) { key, others in
            others.contains { $0.id == key.id } ? ("id", "`\(key.id)` occurs twice") : nil
        }
    }

    private func key(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> ResumeSettings.Key? {
        let file = reader.string("file", in: settings)
        guard let node = settings["id"], let id = reader.string("id", in: settings)
        else { return nil }
        guard Self.isID(id) else {
            reader.report(
                "an id has 1 to 32 letters, digits, `-` and `_`", key: settings.key("id"),
                at: node)
            return nil
        }
        guard let file else { return nil }
        return ResumeSettings.Key(id: id, file: folder.resolve(file))
    }

    /// Returns whether a text can be an id. In a sealed snapshot, the id is between two dots, so it
    /// must not contain a dot. The text of a snapshot must not need JSON escapes, so the id must
    /// not need them either.
    private static func isID(_ id: String) -> Bool {
        (1...32).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
