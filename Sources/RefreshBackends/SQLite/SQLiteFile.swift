internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol

/// The location of a database.
struct SQLiteFile: Sendable {
    /// The resolved path of the file as it is now, and the identity that distinguishes the file
    /// from another file of the same name.
    struct Location: Sendable {
        let path: String
        let identity: FileIdentity
    }

    private let path: ConfinedPath

    init(_ options: SQLiteOptions) throws(BackendConfigurationError) {
        path = try ConfinedPath(options.path, in: options.folder)
    }

    /// `O_PATH`, which Glibc's module does not export. A descriptor with this flag cannot read.
    /// Closing a normal descriptor of the file would release SQLite's locks on the file. Closing a
    /// descriptor with this flag does not release the locks. Source: sqlite.org, "How To Corrupt",
    /// 2.2.
    private static let pathOnlyFlag: Int32 = 0o10_000_000

    /// Returns the location of the file as it is now. Throws `backendUnavailable` if there is no
    /// such file, or if it is outside the permitted folder.
    func locate() throws(LoadFailure) -> Location {
        let descriptor = unsafe open(path.path, Self.pathOnlyFlag | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LoadFailure(.backendUnavailable, "The database cannot be opened (\(errno)).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            path.permits(descriptor), let place = Self.resolvedPath(of: descriptor)
        else { throw LoadFailure(.backendUnavailable, "The database is not a readable file.") }
        return Location(
            path: place,
            identity: FileIdentity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: 0, modified: 0))
    }

    /// Returns the path without symbolic links, so that SQLite opens the file that was checked.
    private static func resolvedPath(of descriptor: Int32) -> String? {
        guard let place = unsafe realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
        defer { unsafe free(place) }
        return unsafe String(validatingCString: place)
    }
}
