internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// Where clients say who they are: the authenticator of the configuration, its deadline, and what
/// is counted and logged of it.
///
/// Any thread may ask. A reload puts another authenticator in place; who is being looked at then is
/// decided on by the old one.
package final class Entrance: Sendable {
    private struct Door: Sendable {
        var keeper: any Authenticator
        var deadlineMs: Int
    }

    private let door: Mutex<Door>
    private let clock: AccessClock
    private let log: DaemonLog
    private let counted = AuthMetrics()

    /// Reads key files, and starts what asking a service takes. `deadlineMs`: `authDeadlineMs`.
    ///
    /// - Throws: what of the settings cannot work, by its key.
    package init(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int, log: DaemonLog,
        clock: AccessClock = .system
    ) throws(ConfigurationError) {
        self.clock = clock
        self.log = log
        let keeper = try Self.keeper(settings, tokens: tokens, clock: clock, log)
        door = Mutex(Door(keeper: keeper, deadlineMs: deadlineMs))
    }

    /// The same with an authenticator as given; for tests.
    package init(
        _ keeper: any Authenticator, deadlineMs: Int, log: DaemonLog, clock: AccessClock = .system
    ) {
        self.clock = clock
        self.log = log
        door = Mutex(Door(keeper: keeper, deadlineMs: deadlineMs))
    }

    /// Takes new settings, and reads all key files anew, also if the settings are the old ones. If
    /// anything is wrong it throws that, and nothing has changed.
    package func reload(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int
    ) throws(ConfigurationError) {
        try prepare(settings, tokens: tokens, deadlineMs: deadlineMs)()
    }

    /// The same in two steps: what is returned cannot fail, and takes the settings.
    func prepare(
        _ settings: AuthSettings, tokens: AccessTokens, deadlineMs: Int
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let keeper = try Self.keeper(settings, tokens: tokens, clock: clock, log)
        return { self.door.withLock { $0 = Door(keeper: keeper, deadlineMs: deadlineMs) } }
    }

    private static func keeper(
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

    /// What has to be kept of an upgrade until `hello`.
    package var details: VisitorDetails { door.withLock { $0.keeper.details } }

    /// When a question that is asked now is answered at the latest.
    package var deadlineMs: Int { door.withLock { $0.deadlineMs } }

    /// The verdict, if it is known at once. Nil: `later` is called with it, once, on another
    /// thread.
    ///
    /// What is found out after `authDeadlineMs` is worth nothing any more: then it is
    /// `unavailable`.
    package func decide(
        _ visitor: Visitor, _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        let door = door.withLock { $0 }
        let asked = clock.now()
        let deadline = asked.advanced(byMilliseconds: Double(door.deadlineMs))
        let mode = door.keeper.mode
        let session = visitor.session
        let verdict = door.keeper.decide(visitor, by: deadline) { [self] verdict in
            let now = clock.now()
            let verdict = now <= deadline ? verdict : .unavailable(.late)
            if mode == .http { counted.asked(microseconds: now.microseconds - asked.microseconds) }
            note(verdict, of: mode, session: session)
            later(verdict)
        }
        if let verdict { note(verdict, of: mode, session: session) }
        return verdict
    }

    /// What the calendar's clock says, in seconds since 1970. From any thread.
    var unixSeconds: Double { clock.unixSeconds() }

    /// The counts since the process began. From any thread.
    package var metrics: AuthMetrics.Snapshot { counted.snapshot }

    private func note(_ verdict: AdmissionVerdict, of mode: AuthMode, session: String) {
        counted.count(verdict, of: mode)
        guard let reason = verdict.reason else { return }
        let message: LogMessage =
            verdict.result == .refused ? .clientRefused : .clientNotIdentified
        log(message, [.session: session, .mode: mode.rawValue, .reason: reason])
    }
}

extension WebTokenSettings.KeyFile {
    /// The key of the configuration that names the file.
    var key: String {
        switch self {
        case .jwks: "auth.jwks"
        case .secret: "auth.secretFile"
        }
    }
}
