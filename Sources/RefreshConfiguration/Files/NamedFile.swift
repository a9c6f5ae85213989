internal import Glibc

/// The content of a file that the configuration names. The file must be a regular file of bounded
/// size. Pipes, which could block the reader, and endless files such as devices are refused.
package struct NamedFile {
    /// The reason why a file cannot be used.
    package struct Refusal: Error {
        /// The reason in a few words, without the path.
        package let reason: String

        init(_ reason: String) { self.reason = reason }

        /// The refusal for the system's last error (`errno`).
        fileprivate static var system: Refusal {
            Refusal(
                "cannot be read: "
                    + (errno == ENOENT
                        ? "there is no such file" : unsafe String(cString: strerror(errno))))
        }
    }

    package let bytes: [UInt8]
    /// Whether users other than the file's owner have any permission.
    package let isOpenToOthers: Bool

    /// The content without a final line break. Editors add one, and it is not part of a secret.
    var line: [UInt8] {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let rest = bytes.dropLast()
        return Array(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest)
    }

    private static let portion = 65_536

    /// Reads the file at `path`, of at most `bytesMax` bytes.
    package init(path: String, bytesMax: Int) throws(Refusal) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system }
        defer { Glibc.close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor) else { throw .system }
        guard status.isRegular else { throw Refusal("cannot be read: it is not a regular file") }
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

    /// Returns the name that an error message uses for a file with a secret. The name contains the
    /// path only if the path exists. If the path does not exist, the operator may have written the
    /// secret in place of the path.
    package static func name(ofSecretAt path: String) -> String {
        FileStatus.exists(at: path) ? path : "the file"
    }
}
