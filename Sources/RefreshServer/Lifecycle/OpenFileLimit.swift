internal import Glibc
internal import RefreshProtocol

/// How many files this process may open: each connection is one, and so is each journal. Source: getrlimit(2).
package enum OpenFileLimit {
    /// What the daemon needs besides its connections: listeners, loops, backends, pages.
    private static let reserve = 512

    /// Raises the limit to what `connectionsMax` connections need, and the journals of `sessionsMax` sessions, as far as the system lets us; must come before the event
    /// loops, which size their tables by it. Returns the limit if it is too low all the same.
    package static func raise(for configuration: Configuration) -> Int? {
        raise(to: Int(clamping: wanted(for: configuration)))
    }

    /// Raises the limit to so many files, as far as the system lets us. Returns the limit if it is too low all the
    /// same.
    package static func raise(to count: Int) -> Int? {
        let wanted = rlim_t(max(0, count))
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return limit.rlim_cur < wanted ? Int(limit.rlim_cur) : nil
    }

    /// The limit, if it is too low for a configuration that the daemon takes up while it runs. It is not raised
    /// then: in the tables of the loops there would be no place for the files beyond it.
    static func shortage(for configuration: Configuration) -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < wanted(for: configuration)
        else { return nil }
        return Int(limit.rlim_cur)
    }

    private static func wanted(for configuration: Configuration) -> rlim_t {
        let limits = configuration.limits
        let journals =
            configuration.journalFolder == nil ? limits.journalsMax : limits.sessionsMax
        return rlim_t(limits.connectionsMax + journals + reserve)
    }
}
