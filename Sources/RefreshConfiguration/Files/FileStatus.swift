internal import CProcess
// When the whole module is compiled at once, the compiler takes `stat` to be CoreFoundation's. Only
// this file is affected.
internal import CoreFoundation
internal import Glibc

/// The system's status of a file. Source: stat(2).
package struct FileStatus {
    /// Kind and permissions.
    let mode: mode_t
    /// Bytes.
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

    /// Returns whether the name is taken, by anything readable or not, or by a broken link. An
    /// unknown answer counts as taken.
    package static func mayExist(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Returns whether something of that name was found. An unknown answer counts as not found.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Whether it is a regular file: not a folder, pipe, socket or device.
    var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Whether users other than its owner have any permission.
    var isOpenToOthers: Bool { mode & (S_IRWXG | S_IRWXO) != 0 }
}
