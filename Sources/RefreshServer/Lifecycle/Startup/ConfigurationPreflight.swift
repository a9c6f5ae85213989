package import RefreshConfiguration
internal import RefreshProtocol
internal import SealedSnapshots
internal import WebSocketTransport

/// Checks a configuration before the daemon opens, creates or starts anything that remains after
/// the checks. The preflight makes every check that is possible at this point, and reports all
/// mistakes together.
///
/// `check-config` makes these checks and no others. A later start makes the same checks. The result
/// of the checks differs only if something has changed in between. Source: docs/configuration.md,
/// "Looking at it".
package struct ConfigurationPreflight: Sendable {
    /// The TLS identity of the listeners; nil without TLS.
    let identity: TLSIdentity?
    /// Authenticates clients.
    let authenticationService: AuthenticationService

    /// Reads the files that the configuration names, and checks whether its folders are writable.
    package init(
        _ configuration: Configuration, log: DaemonLog = .silent
    ) throws(ConfigurationError) {
        var problems: [ConfigurationProblem] = []
        func attempt<Part>(
            _ part: () throws(ConfigurationError) -> Part
        ) -> Part? {
            do throws(ConfigurationError) {
                return try part()
            } catch {
                problems += error.problems
                return nil
            }
        }
        let identity = attempt { () throws(ConfigurationError) in
            try Self.identity(configuration.tls)
        }
        let authenticationService = attempt { () throws(ConfigurationError) in
            try AuthenticationService(
                configuration.auth, tokens: AccessTokens(configuration.tokens),
                deadlineMs: configuration.limits.authDeadlineMs, log: log)
        }
        let folders = [
            ("journal", configuration.journalFolder),
            ("journalOnRequest", configuration.requestedJournalFolder),
        ]
        for case (let key, let path?) in folders {
            attempt { () throws(ConfigurationError) in
                try JournalFolder.check(path: path, key: key)
            }
        }
        if configuration.resume.snapshots {
            attempt { () throws(ConfigurationError) in try KeyRing.check(configuration.resume) }
        }
        guard problems.isEmpty, let identity, let authenticationService else {
            throw ConfigurationError(problems)
        }
        self.identity = identity
        self.authenticationService = authenticationService
    }

    /// Reads the files of `settings` and returns their identity; nil without settings.
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
