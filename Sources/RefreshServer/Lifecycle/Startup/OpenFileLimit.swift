internal import Glibc
package import RefreshConfiguration
internal import RefreshProtocol

/// The number of files that this process may open, and the number that clients may use. Each
/// connection and each journal is one open file. Source: getrlimit(2); docs/operations.md, "Open
/// files".
package enum OpenFileLimit {
    /// A limit of open files that is too low for a configuration.
    package struct Shortage: Hashable, Sendable {
        /// The number of files that the process may open.
        package let files: Int
        /// The number of these files that clients may use.
        package let clientFiles: Int

        init(files: Int) {
            self.files = files
            clientFiles = OpenFileLimit.clientFiles(of: files)
        }
    }

    /// The maximum number of files that the daemon needs in addition to the files of its clients:
    /// for listeners, loops, connections of operators, backends, web pages and keys.
    private static let reserveMax = 512

    /// Raises the limit to the number of files that `connectionsMax` connections and the permitted
    /// number of journals need, as far as the system permits. This function must be called before
    /// the event loops are created, because the size of their tables depends on the limit. Returns
    /// the shortage if the limit is still too low; nil otherwise.
    package static func raise(for configuration: Configuration) -> Shortage? {
        _ = raise(to: Int(clamping: requiredFiles(for: configuration)))
        return shortage(for: configuration)
    }

    /// Raises the limit to `count` files, as far as the system permits. Returns the new limit if it
    /// is still too low; nil otherwise.
    package static func raise(to count: Int) -> Int? {
        let requiredFiles = rlim_t(max(0, count))
        guard var limit else { return nil }
        if limit.rlim_cur < requiredFiles {
            limit.rlim_cur = min(requiredFiles, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return limit.rlim_cur < requiredFiles ? Int(limit.rlim_cur) : nil
    }

    /// The changed limits for which a reload would need more files than the process may open. A
    /// reload does not raise the limit of open files, because the tables of the loops have no room
    /// for more files. A shortage that existed at the start was reported at that time, and is no
    /// reason to refuse a reload.
    static func problems(
        of new: Configuration, after old: Configuration
    ) -> [ConfigurationProblem] {
        guard let limit, limit.rlim_cur < requiredFiles(for: new),
            requiredFiles(for: old) < requiredFiles(for: new)
        else { return [] }
        let journals = new.journalFolder == nil ? "journalsMax" : "sessionsMax"
        return ["connectionsMax", journals].compactMap { name in
            guard let before = old.limits[name], let after = new.limits[name],
                before < after
            else { return nil }
            return ConfigurationProblem(
                key: "limits.\(name)",
                "needs a restart: \(before) -> \(after) requires more than the \(limit.rlim_cur) "
                    + "files that the process may open")
        }
    }

    /// The shortage if the limit is too low for the configuration; nil otherwise.
    static func shortage(for configuration: Configuration) -> Shortage? {
        guard let limit, limit.rlim_cur < requiredFiles(for: configuration) else { return nil }
        return Shortage(files: Int(limit.rlim_cur))
    }

    /// The number of files that clients may use, out of those that this process may open at
    /// present.
    static var clientFiles: Int {
        guard let limit else { return .max }
        return clientFiles(of: Int(clamping: limit.rlim_cur))
    }

    /// The number of files that clients may use if the process may open `files` files. A quarter of
    /// the files, but at most `reserveMax`, is reserved for operators, backends and the daemon
    /// itself.
    static func clientFiles(of files: Int) -> Int { files - min(reserveMax, files / 4) }

    /// The number of the clients' files that the journals of all sessions may use. A journal is
    /// opened later than its session, possibly after the session's connection has closed. If
    /// journals could use up all files, no client could connect.
    static var journalFiles: Int {
        let files = clientFiles
        return files == .max ? .max : files - max(1, min(reserveMax, files / 3) / 8)
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return result == 0 ? limit : nil
    }

    private static func requiredFiles(for configuration: Configuration) -> rlim_t {
        let limits = configuration.limits
        let journals =
            configuration.journalFolder == nil ? limits.journalsMax : limits.sessionsMax
        let besides = configuration.journalFolder == nil ? 0 : reserveMax / 8
        return rlim_t(limits.connectionsMax + journals + besides + reserveMax)
    }
}
