import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Token lifetimes and the wall clock")
struct CalendarTests {
    /// The wall clock, which the test sets, and the monotonic clock of the daemon.
    private final class Clocks: Sendable {
        let unixSeconds = Mutex(1_800_000_000.0)
        let now = Mutex(Instant(milliseconds: 1000))
    }

    /// Authenticates every client as anna, for one minute from now.
    private struct DatedAuthenticator: Authenticator {
        var mode: AuthMode { .jwt }
        let clocks: Clocks
        let isDated: Bool

        func authenticate(
            _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
            _ later: @escaping @Sendable (AdmissionVerdict) -> Void
        ) -> AdmissionVerdict? {
            let end = clocks.unixSeconds.withLock { $0 } + 60
            later(
                .admitted(
                    Identity(
                        subject: "anna",
                        expires: clocks.now.withLock { $0 }.advanced(byMilliseconds: 60_000.0),
                        expiresUnixSeconds: isDated ? end : nil)))
            return nil
        }
    }

    private let clocks = Clocks()

    private func fixture(isDated: Bool = true) -> HostFixture {
        let clocks = clocks
        var limits = Limits()
        limits.idleTimeoutMs = 0
        return HostFixture(
            loops: 1, limits: limits,
            authenticationService: AuthenticationService(
                DatedAuthenticator(clocks: clocks, isDated: isDated), deadlineMs: 1000,
                log: .silent,
                clock: AccessClock(
                    now: { clocks.now.withLock { $0 } },
                    unixSeconds: { clocks.unixSeconds.withLock { $0 } })))
    }

    /// Advances both clocks by this number of seconds. The daemon checks the wall clock after each
    /// second.
    private func pass(_ seconds: Int, in fixture: HostFixture) {
        for _ in 0..<seconds {
            clocks.unixSeconds.withLock { $0 += 1 }
            fixture.pass(milliseconds: 1000)
            clocks.now.withLock { $0 = fixture.now }
            fixture.hosts[0].checkWallClock(at: fixture.now)
            fixture.pass(milliseconds: 0)
        }
    }

    private func set(by seconds: Double) { clocks.unixSeconds.withLock { $0 += seconds } }

    private func isOver(_ client: HostClient) -> Bool {
        client.channel.closed == FaultCode.tokenExpired.closeCode
    }

    @Test("If the wall clock is set beyond the end of a token, its session ends within a second")
    func forward() {
        let fixture = fixture()
        let client = fixture.connect()
        #expect(client.open()["type"]?.string == "welcome")
        pass(10, in: fixture)
        set(by: 49)
        pass(1, in: fixture)
        #expect(isOver(client))
        #expect(client.receive().contains { $0["code"]?.string == "tokenExpired" })
    }

    @Test("If the wall clock is set forward by 30 s, the session ends 30 s earlier")
    func sooner() {
        let fixture = fixture()
        let client = fixture.connect()
        client.open()
        pass(10, in: fixture)
        set(by: 30)
        pass(19, in: fixture)
        #expect(!isOver(client))
        pass(1, in: fixture)
        #expect(isOver(client))
    }

    @Test("If the wall clock is set back by 30 s, the session ends 30 s later")
    func back() {
        let fixture = fixture()
        let client = fixture.connect()
        client.open()
        set(by: -30)
        pass(89, in: fixture)
        #expect(!isOver(client))
        pass(1, in: fixture)
        #expect(isOver(client))
    }

    @Test("A slewed clock changes nothing, and a token without an end ignores changes of the clock")
    func otherwise() {
        let steered = fixture()
        let client = steered.connect()
        client.open()
        let other = fixture(isDated: false)
        let lasting = other.connect()
        lasting.open()
        set(by: 0.09)
        pass(59, in: steered)
        #expect(!isOver(client))
        pass(1, in: steered)
        #expect(isOver(client))
        set(by: 1_000_000)
        for _ in 0..<59 {
            other.pass(milliseconds: 1000)
            other.hosts[0].checkWallClock(at: other.now)
        }
        #expect(!isOver(lasting))
    }
}
