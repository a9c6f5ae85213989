internal import Glibc

/// A file that holds a key of snapshots: 32 bytes in base 64.
struct KeyFile {
    /// Why there is no key, in a few words.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        /// What the system says of its last failure to make something, and what to do.
        static var system: Refusal { Refusal(FolderTrial.advised(errno)) }
    }

    /// More is no key: one has 45.
    private static let bytesMax = 1024

    let key: SealingKey
    /// Whether others than its owner can read or write it.
    let isOpenToOthers: Bool

    /// Reads the file at `path`. With a nil `id` the key is named by what it is.
    init(path: String, id: String? = nil) throws(Refusal) {
        let file: NamedFile
        do throws(NamedFile.Refusal) {
            file = try NamedFile(path: path, bytesMax: Self.bytesMax)
        } catch {
            throw Refusal(error.reason)
        }
        guard let key = SealingKey(text: file.bytes, id: id) else {
            throw Refusal("it does not hold 32 bytes in base 64, as of `openssl rand -base64 32`")
        }
        self.key = key
        isOpenToOthers = file.isOpenToOthers
    }

    /// Reads the file of that name in the folder, and makes it before, with a new key, if it is not
    /// there. Of many who do so at one time all get the same key.
    ///
    /// - Returns: the file, and whether it was made here.
    static func kept(in folder: String, name: String) throws(Refusal) -> (KeyFile, isNew: Bool) {
        let path = "\(folder)/\(name)"
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system }
        var isNew = false
        if !FileStatus.isTaken(path) { isNew = try make(path) }
        // A key that another daemon has just made may not be on the disk yet, nor may the folder.
        try syncFolder(folder)
        if let parent = parent(of: folder) { try? syncFolder(parent) }
        return (try KeyFile(path: path), isNew)
    }

    /// The folder that holds `folder`; nil for the root.
    private static func parent(of folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard !parts.isEmpty else { return nil }
        let parent = parts.dropLast().joined(separator: "/")
        if folder.hasPrefix("/") { return "/" + parent }
        return parent.isEmpty ? "." : parent
    }

    /// Puts a new key there, whole or not at all; false if somebody else was faster.
    private static func make(_ path: String) throws(Refusal) -> Bool {
        let draft = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe Glibc.open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw .system }
        defer { unsafe unlink(draft) }
        try write(Array(SealingKey.random().text.utf8), to: descriptor)
        // A second name, which takes no other's place.
        if unsafe link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw .system }
        return false
    }

    /// Also to what holds the file, and closes it.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Refusal) {
        defer { Glibc.close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            fsync(descriptor) == 0
        else { throw .system }
    }

    /// The name is to outlive the machine's power too.
    private static func syncFolder(_ folder: String) throws(Refusal) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system }
        defer { Glibc.close(descriptor) }
        // Some file systems have no such thing, and their names last as they do.
        fsync(descriptor)
    }
}
