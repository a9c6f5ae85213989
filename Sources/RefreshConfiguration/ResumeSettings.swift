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

    /// The keys, of which the first seals snapshots. If there are none, the daemon creates a key.
    /// This key is kept in the state folder or, without one, lost when the process ends.
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
