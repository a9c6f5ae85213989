internal import RefreshBackends
package import RefreshConfiguration
internal import RefreshProtocol
package import RefreshSession
internal import Synchronization

/// The authentication service of the daemon: the configured authenticator with its deadline,
/// metrics and log.
///
/// Any thread may use the service. A reload replaces the authenticator. Authentications in progress
/// finish with the previous authenticator.
package final class AuthenticationService: Sendable {
    private struct State: Sendable {
        var authenticator: any Authenticator
        var deadlineMs: Int
    }

    private let current: Mutex<State>
    private let clock: AccessClock
    private let log: DaemonLog
    private let counted = AuthMetrics()

    /// Reads key files and prepares the HTTP client for the external authentication service.
    /// `deadlineMs` is `authDeadlineMs`.
    ///
    /// - Throws: The invalid settings, each with its configuration key.
    package init(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int, log: DaemonLog,
        clock: AccessClock = .system
    ) throws(ConfigurationError) {
        self.clock = clock
        self.log = log
        let authenticator = try Self.makeAuthenticator(settings, tokens: tokens, clock: clock, log)
        current = Mutex(State(authenticator: authenticator, deadlineMs: deadlineMs))
    }

    /// Creates the service with a given authenticator; for tests.
    package init(
        _ authenticator: any Authenticator, deadlineMs: Int, log: DaemonLog,
        clock: AccessClock = .system
    ) {
        self.clock = clock
        self.log = log
        current = Mutex(State(authenticator: authenticator, deadlineMs: deadlineMs))
    }

    /// Applies new settings. All key files are read again, even if the settings are unchanged. If
    /// there is a mistake, throws and changes nothing.
    package func reload(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int
    ) throws(ConfigurationError) {
        try prepare(settings, tokens: tokens, deadlineMs: deadlineMs)()
    }

    /// Prepares new settings. The returned closure applies them and cannot fail.
    func prepare(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let authenticator = try Self.makeAuthenticator(settings, tokens: tokens, clock: clock, log)
        return {
            self.current.withLock {
                $0 = State(authenticator: authenticator, deadlineMs: deadlineMs)
            }
        }
    }

    private static func makeAuthenticator(
        _ settings: AuthSettings, tokens: AccessTokens, clock: AccessClock, _ log: DaemonLog
    ) throws(ConfigurationError) -> any Authenticator {
        switch settings {
        case .none: return OpenAccess()
        case .token: return TokenAccess(tokens)
        case .jwt(let settings):
            do throws(KeyFileProblem) {
                let access = try WebTokenAccess(settings, clock: clock)
                if access.isSecretExposed {
                    log(.keyOpenToOthers, [.file: settings.keys.path])
                }
                return access
            } catch {
                throw ConfigurationError(
                    [ConfigurationProblem(key: settings.keys.key, error.message)])
            }
        case .http(let settings):
            do throws(BackendConfigurationError) {
                return try AuthHookAccess(settings, clock: clock)
            } catch {
                throw ConfigurationError(
                    [ConfigurationProblem(key: "auth.\(error.key)", error.message)])
            }
        }
    }

    /// The details of an upgrade that must be kept until `hello`.
    package var details: AuthenticationDetails { current.withLock { $0.authenticator.details } }

    /// The time limit of an authentication that begins now, in milliseconds.
    package var deadlineMs: Int { current.withLock { $0.deadlineMs } }

    /// Returns the result of the authentication if it is known at once. If it is not, returns nil,
    /// and calls `later` once with the result, on another thread.
    ///
    /// If the authenticator's result arrives after `authDeadlineMs`, it is discarded, and `later`
    /// receives `unavailable`.
    package func authenticate(
        _ authenticationRequest: AuthenticationRequest,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        let state = current.withLock { $0 }
        let requestedAt = clock.now()
        let deadline = requestedAt.advanced(byMilliseconds: Double(state.deadlineMs))
        let mode = state.authenticator.mode
        let session = authenticationRequest.session
        let verdict = state.authenticator.authenticate(authenticationRequest, by: deadline) {
            [self] verdict in
            let now = clock.now()
            let verdict = now <= deadline ? verdict : .unavailable(.late)
            if mode == .http {
                counted.recordDuration(microseconds: now.microseconds - requestedAt.microseconds)
            }
            record(verdict, of: mode, session: session)
            later(verdict)
        }
        if let verdict { record(verdict, of: mode, session: session) }
        return verdict
    }

    /// The wall clock, in seconds since 1970. Any thread may read it.
    var unixSeconds: Double { clock.unixSeconds() }

    /// The counts since the process began. Any thread may read them.
    package var metrics: AuthMetrics.Snapshot { counted.snapshot }

    private func record(_ verdict: AdmissionVerdict, of mode: AuthMode, session: String) {
        counted.count(verdict, of: mode)
        guard let reason = verdict.reason else { return }
        let message: LogMessage =
            verdict.result == .refused ? .clientRefused : .clientNotIdentified
        log(message, [.session: session, .mode: mode.rawValue, .reason: reason])
    }
}
