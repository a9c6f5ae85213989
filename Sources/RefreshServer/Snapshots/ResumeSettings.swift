/// How sessions come back, as configured. Source: docs/configuration.md, "resume".
package struct ResumeSettings: Hashable, Sendable {
    /// A key, and the file that holds it.
    package struct Key: Hashable, Sendable {
        /// As it stands in snapshots.
        package var id: String
        /// The path of the file.
        package var file: String

        package init(id: String, file: String) {
            self.id = id
            self.file = file
        }
    }

    /// The first one seals; empty: there is one in the state folder, or one that dies with the
    /// process.
    package var keys: [Key]
    /// The folder in which a key is made and kept; nil: none is.
    package var stateFolder: String?
    /// Whether sealed snapshots are given and taken.
    package var snapshots: Bool

    package init(keys: [Key] = [], stateFolder: String? = nil, snapshots: Bool = true) {
        self.keys = keys
        self.stateFolder = stateFolder
        self.snapshots = snapshots
    }
}
