internal import Glibc
internal import RefreshProtocol

/// How many files this process may open, and how many of them clients may take: each connection is one, and so is
/// each journal. Source: getrlimit(2); docs/operations.md, "Open files".
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

    /// What the daemon needs besides its clients at most: listeners, loops, operators, backends, pages, keys.
    private static let reserveMax = 512

    /// Raises the limit to what `connectionsMax` connections need, and the journals of `sessionsMax` sessions, as far
    /// as the system lets us; must come before the event loops, which size their tables by it. Returns the limit if
    /// it is too low all the same.
    package static func raise(for configuration: Configuration) -> Shortage? {
        let wanted = wanted(for: configuration)
        guard var limit else { return nil }
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return shortage(for: configuration)
    }

    /// The limit, if it is too low for a configuration. It is not raised for one that the daemon takes up while it
    /// runs: in the tables of the loops there would be no place for the files beyond it.
    static func shortage(for configuration: Configuration) -> Shortage? {
        guard let limit, limit.rlim_cur < wanted(for: configuration) else { return nil }
        return Shortage(files: Int(limit.rlim_cur))
    }

    /// So many files clients may take of those that this process may open now.
    static var clientFiles: Int {
        guard let limit else { return .max }
        return clientFiles(of: Int(clamping: limit.rlim_cur))
    }

    /// The rest is for operators, backends and the daemon itself: a quarter, and no more than that needs.
    static func clientFiles(of files: Int) -> Int { files - min(reserveMax, files / 4) }

    private static var limit: rlimit? {
        var limit = rlimit()
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return result == 0 ? limit : nil
    }

    private static func wanted(for configuration: Configuration) -> rlim_t {
        let limits = configuration.limits
        let journals =
            configuration.journalFolder == nil ? limits.journalsMax : limits.sessionsMax
        return rlim_t(limits.connectionsMax + journals + reserveMax)
    }
}
