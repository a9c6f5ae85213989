internal import Glibc
internal import RefreshProtocol

/// How many files this process may open, and how many of them clients may take: each connection is
/// one, and so is each journal. Source: getrlimit(2); docs/operations.md, "Open files".
package enum OpenFileLimit {
    /// A limit that is lower than a configuration needs.
    package struct Shortage: Hashable, Sendable {
        /// Files that the process may open.
        package let files: Int
        /// Of them, those that clients may take.
        package let clientFiles: Int

        init(files: Int) {
            self.files = files
            clientFiles = OpenFileLimit.clientFiles(of: files)
        }
    }

    /// What the daemon needs besides its clients at most: listeners, loops, operators, backends,
    /// pages, keys.
    private static let reserveMax = 512

    /// Raises the limit to what `connectionsMax` connections need, and the journals of
    /// `sessionsMax` sessions, as far as the system lets us; must come before the event loops,
    /// which size their tables by it. Returns the limit if it is too low all the same.
    package static func raise(for configuration: Configuration) -> Shortage? {
        _ = raise(to: Int(clamping: wanted(for: configuration)))
        return shortage(for: configuration)
    }

    /// Raises the limit to so many files, as far as the system lets us. Returns the limit if it is
    /// too low all the same.
    package static func raise(to count: Int) -> Int? {
        let wanted = rlim_t(max(0, count))
        guard var limit else { return nil }
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return limit.rlim_cur < wanted ? Int(limit.rlim_cur) : nil
    }

    /// What of a configuration that the daemon is to take up while it runs would need more files
    /// than it may open; empty if nothing. The limit is not raised then: in the tables of the loops
    /// there would be no place for the files beyond it. What was too much at the start already, and
    /// was told then, is no reason.
    static func problems(
        of new: Configuration, after old: Configuration
    ) -> [ConfigurationProblem] {
        guard let limit, limit.rlim_cur < wanted(for: new), wanted(for: old) < wanted(for: new)
        else { return [] }
        let journals = new.journalFolder == nil ? "journalsMax" : "sessionsMax"
        return ["connectionsMax", journals].compactMap { name in
            guard let before = old.limits[name], let after = new.limits[name],
                before < after
            else { return nil }
            return ConfigurationProblem(
                key: "limits.\(name)",
                "needs a restart: \(before) -> \(after) is more than the \(limit.rlim_cur) files "
                    + "that the process may open have room for")
        }
    }

    /// What the limit leaves room for, if it is too low for a configuration.
    static func shortage(for configuration: Configuration) -> Shortage? {
        guard let limit, limit.rlim_cur < wanted(for: configuration) else { return nil }
        return Shortage(files: Int(limit.rlim_cur))
    }

    /// So many files clients may take of those that this process may open now.
    static var clientFiles: Int {
        guard let limit else { return .max }
        return clientFiles(of: Int(clamping: limit.rlim_cur))
    }

    /// The rest is for operators, backends and the daemon itself: a quarter, and no more than that
    /// needs.
    static func clientFiles(of files: Int) -> Int { files - min(reserveMax, files / 4) }

    /// How many of these the journals of all sessions may take. A journal is opened after its
    /// session, perhaps when the session's connection has closed; with the last file no client
    /// could connect while the session waits.
    static var journalFiles: Int {
        let files = clientFiles
        return files == .max ? .max : files - max(1, min(reserveMax, files / 3) / 8)
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return result == 0 ? limit : nil
    }

    private static func wanted(for configuration: Configuration) -> rlim_t {
        let limits = configuration.limits
        let journals =
            configuration.journalFolder == nil ? limits.journalsMax : limits.sessionsMax
        let besides = configuration.journalFolder == nil ? 0 : reserveMax / 8
        return rlim_t(limits.connectionsMax + journals + besides + reserveMax)
    }
}
