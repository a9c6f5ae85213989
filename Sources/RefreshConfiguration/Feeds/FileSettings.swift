package import RefreshBroker

/// The settings of a feed of kind `file`. Source: docs/backends.md, "file".
package struct FileSettings: Hashable, Sendable {
    /// The path as written in the configuration.
    package var path: String
    /// The folder of a relative `path`, which the path cannot leave.
    package var folder: String
    /// The format of the file; nil means that the path's extension determines it.
    package var format: FileFormat?
    /// The maximum size of the file in bytes. A larger file is not read.
    package var bytesMax = 67_108_864

    package init(path: String, folder: String, format: FileFormat? = nil) {
        self.path = path
        self.folder = folder
        self.format = format
    }
}
