internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol

/// The contents of a regular file.
struct FileContent: Sendable {
    var bytes: [UInt8]
    var identity: FileIdentity
    /// Whether the same identity implies the same bytes. This is false for two seconds after a
    /// change, because another change could leave the time stamp and the size unchanged.
    var isStable: Bool

    /// The coarsest resolution of the time stamps of common file systems, in nanoseconds.
    private static let stampStep: Int64 = 2_000_000_000
    /// The maximum number of attempts to read a file that changes while it is read.
    private static let attempts = 3

    /// Returns the current identity of the file at `path`, or nil if it cannot be determined.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Reads the file. Throws if the file has more than `bytesMax` bytes, or if the request is
    /// cancelled. Returns nil if there is no such file. Symbolic links are followed if `admits`
    /// accepts the opened file.
    static func read(
        _ path: String, bytesMax: Int, for cancellation: CancellationFlag = CancellationFlag(),
        admits: (_ descriptor: Int32) -> Bool = { _ in true }
    ) throws(LoadFailure) -> FileContent? {
        // Without O_NONBLOCK, opening a named pipe would block the thread. O_NOCTTY prevents a
        // terminal from becoming the daemon's controlling terminal.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw LoadFailure(.backendUnavailable, "The file cannot be opened (\(errno)).")
        }
        defer { close(descriptor) }
        guard admits(descriptor) else {
            throw LoadFailure(
                .backendRejected, "The path leads out of the configuration file's folder.")
        }
        for _ in 0..<attempts {
            let before = try identity(of: descriptor)
            guard before.size <= bytesMax else { throw tooLarge(bytesMax) }
            let bytes = try read(
                descriptor, size: Int(before.size), bytesMax: bytesMax, for: cancellation)
            guard try identity(of: descriptor) == before, bytes.count == before.size else {
                guard lseek(descriptor, 0, SEEK_SET) == 0 else { break }
                continue
            }
            return FileContent(bytes: bytes, identity: before, isStable: isStable(before))
        }
        throw LoadFailure(.backendUnavailable, "The file changes while it is read.")
    }

    private static func identity(of descriptor: Int32) throws(LoadFailure) -> FileIdentity {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw LoadFailure(.backendUnavailable, "The file cannot be examined (\(errno)).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LoadFailure(
                .backendUnavailable, "The path is \(kind(status.st_mode)), not a regular file.")
        }
        return FileIdentity(status)
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// Reads the whole file. `size` is its expected size.
    private static func read(
        _ descriptor: Int32, size: Int, bytesMax: Int, for cancellation: CancellationFlag
    ) throws(LoadFailure) -> [UInt8] {
        let step = 65_536
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + step)
        while true {
            try cancellation.checkCancellation()
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: step))
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), step)
            }
            bytes.removeLast(step - max(0, count))
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw LoadFailure(.backendFailed, "The file cannot be read (\(errno)).")
            }
            guard bytes.count <= bytesMax else { throw tooLarge(bytesMax) }
        }
    }

    private static func tooLarge(_ bytesMax: Int) -> LoadFailure {
        LoadFailure(.backendAnswerTooLarge, "The file is larger than \(bytesMax) bytes.")
    }

    private static func isStable(_ identity: FileIdentity) -> Bool {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- identity.modified
        return age > stampStep
    }
}

extension FileIdentity {
    fileprivate init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000
                &+ Int64(status.st_mtim.tv_nsec))
    }
}

/// The metadata that distinguishes one state of a file from another, as far as the file system
/// provides it.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    /// The last modification of the contents, in nanoseconds since 1970.
    var modified: Int64
}
