internal import CProcess
// With whole-module optimization, the compiler resolves `stat` to the declaration of
// CoreFoundation. So this file must import CoreFoundation. No other file needs this import.
internal import CoreFoundation
internal import Glibc

/// The system's status of a file. Source: stat(2).
package struct FileStatus {
    /// The kind and the permissions of the file.
    let mode: mode_t
    /// The size in bytes.
    package let size: Int

    /// The status of the path's target; nil if it cannot be read.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The status of an open file; nil if it cannot be read.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        mode = status.st_mode
        size = Int(status.st_size)
    }

    /// Returns whether a file, a folder or a link, even a broken one, exists at `path`. If this is
    /// unknown, the result is true.
    package static func mayExist(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Returns whether a file, a folder or a link was found at `path`. If this is unknown, the
    /// result is false.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Whether the file is a regular file, not a folder, pipe, socket or device.
    var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Whether users other than the file's owner have any permission.
    var isOpenToOthers: Bool { mode & (S_IRWXG | S_IRWXO) != 0 }
}
