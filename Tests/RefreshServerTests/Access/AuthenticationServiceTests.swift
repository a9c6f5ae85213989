import Foundation
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("The authentication service of a daemon")
struct AuthenticationServiceTests {
    /// Gives no verdict until the test calls `complete`.
    private final class SlowAuthenticator: Authenticator {
        let mode = AuthMode.http
        private let waiting = Mutex<[@Sendable (AdmissionVerdict) -> Void]>([])

        func authenticate(
            _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
            _ later: @escaping @Sendable (AdmissionVerdict) -> Void
        ) -> AdmissionVerdict? {
            waiting.withLock { $0.append(later) }
            return nil
        }

        func complete(_ verdict: AdmissionVerdict) {
            for later in waiting.withLock({ $0 }) { later(verdict) }
        }
    }

    /// A clock that the test sets.
    private final class SetClock: Sendable {
        let time = Mutex(Instant.origin)

        var clock: AccessClock {
            AccessClock(now: { self.time.withLock { $0 } }, unixSeconds: { TokenMint.noon })
        }
    }

    private static func outcome(
        afterMs milliseconds: Double, _ verdict: AdmissionVerdict
    ) -> (verdict: AdmissionVerdict?, metrics: AuthMetrics.Snapshot, log: [String]) {
        let time = SetClock()
        let authenticator = SlowAuthenticator()
        let recorder = LogRecorder()
        let authenticationService = AuthenticationService(
            authenticator, deadlineMs: 100, log: recorder.log, clock: time.clock)
        let reported = Mutex<AdmissionVerdict?>(nil)
        let atOnce = authenticationService.authenticate(
            AuthenticationRequest(token: "canary", session: "s1")
        ) {
            verdict in
            reported.withLock { $0 = verdict }
        }
        #expect(atOnce == nil)
        time.time.withLock { $0 = Instant(milliseconds: milliseconds) }
        authenticator.complete(verdict)
        return (reported.withLock { $0 }, authenticationService.metrics, recorder.lines)
    }

    @Test("A verdict that arrives in time is forwarded and counted with its duration")
    func inTime() {
        let (verdict, metrics, log) = Self.outcome(afterMs: 100, .admitted(.anonymous))
        #expect(verdict == .admitted(.anonymous))
        #expect(metrics[.http, .admitted] == 1)
        #expect(metrics.counts.reduce(0, +) == 1)
        #expect(metrics.durations.sumMicroseconds == 100_000)
        #expect(log.isEmpty)
    }

    @Test("authDeadlineMs: a verdict after the deadline is dropped")
    func late() {
        let (verdict, metrics, log) = Self.outcome(afterMs: 100.001, .admitted(.anonymous))
        #expect(verdict == .unavailable(.late))
        #expect(metrics[.http, .unavailable] == 1)
        #expect(
            log == ["debug client not identified mode=http reason=no answer in time session=s1"])
    }

    @Test("The reason of a refusal is logged in a fixed text and counted")
    func refused() {
        let (_, metrics, log) = Self.outcome(afterMs: 5, .refused(.denied))
        #expect(metrics[.http, .refused] == 1)
        #expect(
            log == ["debug client refused mode=http reason=denied by the service session=s1"])
    }

    @Test("Without authentication, every client is admitted immediately")
    func open() throws {
        let authenticationService = try AuthenticationService(
            .none, tokens: AccessTokens([]), deadlineMs: 100, log: .silent)
        for token in [nil, "", "anything"] {
            let verdict = authenticationService.authenticate(AuthenticationRequest(token: token)) {
                _ in
            }
            #expect(verdict == .admitted(.anonymous))
        }
        #expect(authenticationService.metrics[.none, .admitted] == 3)
        #expect(authenticationService.details == .nothing)
    }

    @Test("The mode `http` requires the details of an upgrade, and the headers in `forward`")
    func details() throws {
        let settings = AuthHookSettings(url: "http://127.0.0.1:1/", forward: ["cookie"])
        let authenticationService = try AuthenticationService(
            .http(settings), tokens: AccessTokens([]), deadlineMs: 100, log: .silent)
        #expect(authenticationService.details == .arrival(headers: ["cookie"]))
    }

    @Test(
        "If others can read a secret file, this is logged at the start and at each reload",
        arguments: [(0o600, 0), (0o640, 2), (0o604, 2)])
    func exposed(mode: Int, count: Int) throws {
        let secret = String(repeating: "s", count: 32)
        let set =
            #"{"keys":[{"kty":"oct","k":"\#(Data(secret.utf8).base64EncodedString().dropLast())"}]}"#
        for (name, text) in [("secretFile", secret), ("jwks", set)] {
            let file = try TemporaryFile(name, text)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file.path)
            let settings = AuthSettings.jwt(
                WebTokenSettings(
                    algorithms: [.HS256],
                    keys: name == "jwks" ? .jwks(path: file.path) : .secret(path: file.path),
                    audience: "lists"))
            let log = LogRecorder()
            let authenticationService = try AuthenticationService(
                settings, tokens: AccessTokens([]), deadlineMs: 1000, log: log.log)
            try authenticationService.reload(settings, tokens: AccessTokens([]), deadlineMs: 1000)
            let line = "warning key file is open to others file=\(file.path)"
            #expect(log.lines == Array(repeating: line, count: count))
        }
    }

    @Test("A reload reads the keys again, and a broken file changes nothing")
    func reload() async throws {
        let file = try TemporaryFile("secret", TokenMint.secret)
        let settings = AuthSettings.jwt(
            WebTokenSettings(
                algorithms: [.HS256], keys: .secret(path: file.path), audience: "lists.example.org")
        )
        let tokens = AccessTokens([])
        let clock = AccessClock(now: { .origin }, unixSeconds: { TokenMint.noon })
        let authenticationService = try AuthenticationService(
            settings, tokens: tokens, deadlineMs: 1000, log: .silent, clock: clock)
        func verdict(_ secret: String) async throws -> AdmissionVerdict.Result {
            let token = try await TokenMint.token(#"{"alg":"HS256"}"#, by: .hmac(secret))
            return await withCheckedContinuation { continuation in
                _ = authenticationService.authenticate(AuthenticationRequest(token: token)) {
                    continuation.resume(returning: $0.result)
                }
            }
        }
        let other = String(TokenMint.secret.reversed())
        #expect(try await verdict(TokenMint.secret) == .admitted)
        #expect(try await verdict(other) == .refused)
        for broken in ["", "short", String(repeating: "x", count: 31) + "\n"] {
            try file.write(broken)
            let error = #expect(throws: ConfigurationError.self) {
                try authenticationService.reload(settings, tokens: tokens, deadlineMs: 1000)
            }
            #expect(
                error?.description == "auth.secretFile: an HS256 secret must have at least 32 bytes"
            )
            #expect(try await verdict(TokenMint.secret) == .admitted)
        }
        try file.remove()
        #expect(throws: ConfigurationError.self) {
            try authenticationService.reload(settings, tokens: tokens, deadlineMs: 1000)
        }
        #expect(try await verdict(TokenMint.secret) == .admitted)
        try file.write(other)
        try authenticationService.reload(settings, tokens: tokens, deadlineMs: 1000)
        #expect(try await verdict(other) == .admitted)
        #expect(try await verdict(TokenMint.secret) == .refused)
        try authenticationService.reload(.none, tokens: tokens, deadlineMs: 7)
        #expect(
            authenticationService.authenticate(AuthenticationRequest(token: nil)) { _ in }
                == .admitted(.anonymous))
        #expect(authenticationService.deadlineMs == 7)
    }
}
