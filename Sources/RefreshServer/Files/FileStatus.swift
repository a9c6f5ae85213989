// Where the whole module is compiled at once the compiler holds that `stat` is CoreFoundation's;
// here is the only file that need know.
internal import CoreFoundation
internal import Glibc

/// What the system says of a file. Source: stat(2).
struct FileStatus {
    /// Kind and permissions.
    let mode: mode_t
    /// Bytes.
    let size: Int

    /// Of what the path leads to; nil if that cannot be told.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file; nil if that cannot be told.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        mode = status.st_mode
        size = Int(status.st_size)
    }

    /// Whether there is anything of that name, readable or not, or a link to nothing.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Whether something of that name was seen: not so if it cannot be told.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Neither a folder nor a pipe, a socket or a device.
    var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Whether others than its owner may do anything with it.
    var isOpenToOthers: Bool { mode & (S_IRWXG | S_IRWXO) != 0 }
}
