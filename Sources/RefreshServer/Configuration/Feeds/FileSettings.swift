package import RefreshBroker

/// What a feed of kind `file` is configured with. Source: docs/backends.md, "file".
package struct FileSettings: Hashable, Sendable {
    /// As the configuration names it.
    package var path: String
    /// Where a relative `path` begins, and what it cannot leave.
    package var folder: String
    /// Nil: the path's extension says it.
    package var format: FileFormat?
    /// A larger file is not read.
    package var bytesMax = 67_108_864

    package init(path: String, folder: String, format: FileFormat? = nil) {
        self.path = path
        self.folder = folder
        self.format = format
    }
}
