internal import Glibc
internal import RefreshProtocol

/// How many files this process may open: each connection is one, and so is each journal. Source: getrlimit(2).
package enum OpenFileLimit {
    /// What the daemon needs besides its connections: listeners, loops, backends, pages.
    private static let reserve = 512

    /// Raises the limit to what `connectionsMax` connections need, and the journals of `sessionsMax` sessions, as far as the system lets us; must come before the event
    /// loops, which size their tables by it. Returns the limit if it is too low all the same.
    package static func raise(for configuration: Configuration) -> Int? {
        let wanted = wanted(for: configuration)
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

    /// What of a configuration that the daemon is to take up while it runs would need more files than it may open;
    /// empty if nothing. The limit is not raised then: in the tables of the loops there would be no place for the
    /// files beyond it. What was too much at the start already, and was told then, is no reason.
    static func problems(
        of new: Configuration, after old: Configuration
    ) -> [ConfigurationProblem] {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < wanted(for: new), wanted(for: old) < wanted(for: new)
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

    private static func wanted(for configuration: Configuration) -> rlim_t {
        let limits = configuration.limits
        let journals =
            configuration.journalFolder == nil ? limits.journalsMax : limits.sessionsMax
        return rlim_t(limits.connectionsMax + journals + reserve)
    }
}
