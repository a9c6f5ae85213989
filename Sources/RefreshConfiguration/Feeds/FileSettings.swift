package import RefreshBroker

/// The settings of a feed of kind `file`. Source: docs/backends.md, "file".
package struct FileSettings: Hashable, Sendable {
    /// As written in the configuration.
    package var path: String
    /// The folder of a relative `path`, which the path cannot leave.
    package var folder: String
    /// Nil: derived from the path's extension.
    package var format: FileFormat?
    /// A larger file is not read.
    package var bytesMax = 67_108_864

    package init(path: String, folder: String, format: FileFormat? = nil) {
        self.path = path
        self.folder = folder
        self.format = format
    }
}
