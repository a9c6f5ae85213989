internal import Glibc

/// A file that the configuration names, read whole: a regular one of bounded size. Nobody waits for
/// a pipe, and what never ends, as a device, is refused.
struct NamedFile {
    /// Why it cannot be used.
    struct Refusal: Error {
        /// In a few words, without the path.
        let reason: String

        init(_ reason: String) { self.reason = reason }

        /// What the system says of its last failure.
        fileprivate static var system: Refusal {
            Refusal(
                "cannot be read: "
                    + (errno == ENOENT
                        ? "there is no such file" : unsafe String(cString: strerror(errno))))
        }
    }

    let bytes: [UInt8]
    /// Whether others than its owner may do anything with it.
    let isOpenToOthers: Bool

    private static let portion = 65_536

    /// Reads the file at `path`, which holds at most `bytesMax`.
    init(path: String, bytesMax: Int) throws(Refusal) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system }
        defer { Glibc.close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor) else { throw .system }
        guard status.isRegular else { throw Refusal("cannot be read: it is no file") }
        isOpenToOthers = status.isOpenToOthers
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: min(Self.portion, bytesMax + 1))
        while true {
            let count = unsafe Glibc.read(descriptor, &portion, portion.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system }
            guard count > 0 else { break }
            bytes += portion.prefix(count)
            guard bytes.count <= bytesMax else { throw Refusal("larger than \(bytesMax) bytes") }
        }
        self.bytes = bytes
    }

    /// What a mistake calls a file that may hold a secret: its path if there is something, else no
    /// more than that there is none, because somebody may have written the secret where its file is
    /// meant.
    static func name(ofSecretAt path: String) -> String {
        FileStatus.isThere(path) ? path : "the file"
    }
}
