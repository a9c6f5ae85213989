internal import Glibc
internal import RefreshConfiguration
internal import SealedSnapshots

/// A file that contains a key for snapshots: 32 bytes in base 64.
struct KeyFile {
    /// The reason why the file provides no key.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        /// A refusal with the reason of the last failed system call, and with advice.
        static var system: Refusal { Refusal(WritabilityCheck.messageWithAdvice(errno)) }
    }

    /// The maximum size of a file that is read. A key file has 45 bytes.
    private static let bytesMax = 1024

    let key: SealingKey
    /// Whether users other than the owner of the file can read or write it.
    let isOpenToOthers: Bool

    /// Reads the file at `path`. If `id` is nil, the name of the key is derived from the key.
    init(path: String, id: String? = nil) throws(Refusal) {
        let file: NamedFile
        do throws(NamedFile.Refusal) {
            file = try NamedFile(path: path, bytesMax: Self.bytesMax)
        } catch {
            throw Refusal(error.reason)
        }
        guard let key = SealingKey(text: file.bytes, id: id) else {
            throw Refusal(
                "it does not contain 32 bytes in base 64, as `openssl rand -base64 32` prints")
        }
        self.key = key
        isOpenToOthers = file.isOpenToOthers
    }

    /// Reads the file `name` in the folder. If the file does not exist, it is first created with a
    /// new key. If several processes create the file at the same time, all of them get the same
    /// key.
    ///
    /// - Returns: The file, and whether this call created it.
    static func loadOrCreate(in folder: String, name: String) throws(Refusal) -> (
        KeyFile, isNew: Bool
    ) {
        let path = "\(folder)/\(name)"
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system }
        var isNew = false
        if !FileStatus.mayExist(at: path) { isNew = try create(path) }
        // If another daemon has just created the file or the folder, the new name may not have been
        // written to the disk yet.
        try syncFolder(folder)
        if let parent = parent(of: folder) { try? syncFolder(parent) }
        return (try KeyFile(path: path), isNew)
    }

    /// Returns the folder that contains `folder`; nil for the root.
    private static func parent(of folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard !parts.isEmpty else { return nil }
        let parent = parts.dropLast().joined(separator: "/")
        if folder.hasPrefix("/") { return "/" + parent }
        return parent.isEmpty ? "." : parent
    }

    /// Creates the file with a new key, atomically. Returns false if another process has already
    /// created the file.
    private static func create(_ path: String) throws(Refusal) -> Bool {
        let draft = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe Glibc.open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw .system }
        defer { unsafe unlink(draft) }
        try write(Array(SealingKey.random().text.utf8), to: descriptor)
        // A hard link never replaces an existing file.
        if unsafe link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw .system }
        return false
    }

    /// Writes the bytes, flushes them to the disk, and closes the file.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Refusal) {
        defer { Glibc.close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            fsync(descriptor) == 0
        else { throw .system }
    }

    /// Flushes the folder to the disk, so that the file's name survives a power failure.
    private static func syncFolder(_ folder: String) throws(Refusal) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system }
        defer { Glibc.close(descriptor) }
        // Some file systems do not support `fsync` of a folder. The result is therefore ignored.
        fsync(descriptor)
    }
}
