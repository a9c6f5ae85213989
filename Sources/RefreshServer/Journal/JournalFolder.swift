internal import Glibc
package import RefreshConfiguration

/// The folder of the journals. The daemon keeps the folder open while it writes journals. A later
/// change of the folder's name or of the working directory therefore has no effect.
package final class JournalFolder: Sendable {
    /// The system's reason why a file cannot be used.
    package struct Refusal: Error {
        package let errno: Int32

        package var reason: String { unsafe String(cString: strerror(errno)) }
    }

    private let descriptor: Int32
    /// If the process has this many files open, no journal is created. The remaining file
    /// descriptors are reserved for other uses.
    private let filesMax: Int

    /// Opens the folder at `path`. If only the last part of the path does not exist, creates the
    /// folder.
    ///
    /// `key`: the configuration key of the folder.
    ///
    /// - Throws: An error if no file can be created in the folder.
    package init(
        path: String, key: String = "journal", filesMax: Int = .max
    ) throws(ConfigurationError) {
        self.filesMax = filesMax
        do throws(Refusal) {
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw Refusal(errno: errno) }
            let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Refusal(errno: errno) }
            self.descriptor = descriptor
            if let errno = WritabilityCheck.creationErrno(in: descriptor) {
                throw Refusal(errno: errno)
            }
        } catch {
            throw Self.unusableFolderError(
                path, key: key, WritabilityCheck.messageWithAdvice(error.errno))
        }
    }

    /// Throws each error that `init` would throw, but does not create the folder.
    static func check(path: String, key: String) throws(ConfigurationError) {
        guard let reason = WritabilityCheck.refusal(of: path) else { return }
        throw unusableFolderError(path, key: key, reason)
    }

    private static func unusableFolderError(
        _ path: String, key: String, _ reason: String
    ) -> ConfigurationError {
        ConfigurationError([
            ConfigurationProblem(key: key, "cannot write to `\(path)`: \(reason)")
        ])
    }

    deinit { Glibc.close(descriptor) }

    /// Creates a new file, readable by its owner only, and returns its descriptor. If `filesMax`
    /// files are open, throws EMFILE as the system would.
    package func createFile(_ name: String) throws(Refusal) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe openat(descriptor, name, flags, 0o600)
        guard file >= 0 else { throw Refusal(errno: errno) }
        guard Int(file) < filesMax else {
            Glibc.close(file)
            unsafe unlinkat(descriptor, name, 0)
            throw Refusal(errno: EMFILE)
        }
        return file
    }
}
