internal import Glibc

/// Creates a file in a folder to check whether the folder is writable. The permissions of the
/// folder alone do not show this.
enum WritabilityCheck {
    /// Creates a file in the open folder and removes it. Returns the system's error, or nil if both
    /// succeeded.
    static func creationErrno(in descriptor: Int32) -> Int32? {
        let name = ".refreshd-\(getpid())"
        // An earlier process with the same id may have died before it removed its file.
        unsafe unlinkat(descriptor, name, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe openat(descriptor, name, flags, 0o600)
        guard file >= 0 else { return Glibc.errno }
        close(file)
        unsafe unlinkat(descriptor, name, 0)
        return nil
    }

    /// Checks the folder at a path. If only the last component of the path is missing, checks its
    /// parent, in which the folder would be created. Returns the reason why no file can be created,
    /// with advice. Returns nil if a file can be created.
    static func refusal(of path: String) -> String? {
        creationErrno(at: path).map(messageWithAdvice)
    }

    /// Returns the system's error text with advice for the operator.
    static func messageWithAdvice(_ errno: Int32) -> String {
        let reason = unsafe String(cString: strerror(errno))
        return switch errno {
        case ENOSPC, EDQUOT: "\(reason); make room there, or name another folder"
        case EACCES, EPERM: "\(reason); let this user write there, or name another folder"
        case ENOENT: "\(reason); create its parent folder, or name another one"
        default: "\(reason); name a folder that this user may write in"
        }
    }

    private static func creationErrno(at path: String) -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var folder = unsafe open(path, flags)
        if folder < 0, Glibc.errno == ENOENT { folder = unsafe open(parent(of: path), flags) }
        guard folder >= 0 else { return Glibc.errno }
        defer { close(folder) }
        return creationErrno(in: folder)
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parts : parts.isEmpty ? "." : parts
    }
}
