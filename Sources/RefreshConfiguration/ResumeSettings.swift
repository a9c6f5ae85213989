/// How sessions are resumed, as configured. Source: docs/configuration.md, "resume".
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

    /// The first one seals. If empty, there is one key in the state folder, or one that is lost
    /// when the process ends.
    package var keys: [Key]
    /// The folder in which a key is created and kept; nil if there is none.
    package var stateFolder: String?
    /// Whether sealed snapshots are given and accepted.
    package var snapshots: Bool

    package init(keys: [Key] = [], stateFolder: String? = nil, snapshots: Bool = true) {
        self.keys = keys
        self.stateFolder = stateFolder
        self.snapshots = snapshots
    }
}
