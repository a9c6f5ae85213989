internal import RefreshProtocol
internal import WebSocketTransport

/// What a start makes of a configuration before it opens, makes or starts anything that stays:
/// whatever can be refused of it without that is refused here, all mistakes at once.
///
/// `check-config` does so too, and leaves it at that: what one of them takes the other does not
/// refuse, but for what changes in between. Source: docs/configuration.md, "Looking at it".
package struct Groundwork: Sendable {
    /// What listeners prove themselves with; nil without TLS.
    let identity: TLSIdentity?
    /// Where clients say who they are.
    let entrance: Entrance

    /// Reads the files that the configuration names, and tries whether its folders can be written
    /// in.
    package init(
        _ configuration: Configuration, log: DaemonLog = .silent
    ) throws(ConfigurationError) {
        var problems: [ConfigurationProblem] = []
        func tried<Part>(
            _ part: () throws(ConfigurationError) -> Part
        ) -> Part? {
            do throws(ConfigurationError) {
                return try part()
            } catch {
                problems += error.problems
                return nil
            }
        }
        let identity = tried { () throws(ConfigurationError) in
            try Self.identity(configuration.tls)
        }
        let entrance = tried { () throws(ConfigurationError) in
            try Entrance(
                configuration.auth, tokens: AccessTokens(configuration.tokens),
                deadlineMs: configuration.limits.authDeadlineMs, log: log)
        }
        let folders = [
            ("journal", configuration.journalFolder),
            ("journalOnRequest", configuration.requestedJournalFolder),
        ]
        for case (let key, let path?) in folders {
            tried { () throws(ConfigurationError) in
                try JournalFolder.check(path: path, key: key)
            }
        }
        if configuration.resume.snapshots {
            tried { () throws(ConfigurationError) in try KeyRing.check(configuration.resume) }
        }
        guard problems.isEmpty, let identity, let entrance else {
            throw ConfigurationError(problems)
        }
        self.identity = identity
        self.entrance = entrance
    }

    /// The identity of `settings`, whose files are read now; nil without any.
    static func identity(_ settings: TLSSettings?) throws(ConfigurationError) -> TLSIdentity? {
        guard let settings else { return nil }
        do throws(TLSSettings.Mistake) {
            return try settings.identity()
        } catch {
            throw ConfigurationError(
                [ConfigurationProblem(key: "tls.\(error.name)", error.description)])
        }
    }
}
