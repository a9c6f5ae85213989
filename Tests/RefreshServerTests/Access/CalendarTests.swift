import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Tokens and the calendar's clock")
struct CalendarTests {
    /// The calendar's clock, which somebody sets, and the daemon's, which runs.
    private final class Clocks: Sendable {
        let unixSeconds = Mutex(1_800_000_000.0)
        let now = Mutex(Instant(milliseconds: 1000))
    }

    /// Knows everybody as anna, until a minute from now.
    private struct Keeper: Authenticator {
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

    private func world(isDated: Bool = true) -> HostWorld {
        let clocks = clocks
        var limits = Limits()
        limits.idleTimeoutMs = 0
        return HostWorld(
            loops: 1, limits: limits,
            authenticationService: AuthenticationService(
                Keeper(clocks: clocks, isDated: isDated), deadlineMs: 1000, log: .silent,
                clock: AccessClock(
                    now: { clocks.now.withLock { $0 } },
                    unixSeconds: { clocks.unixSeconds.withLock { $0 } })))
    }

    /// Lets both clocks run, with a look at the calendar's each second.
    private func pass(_ seconds: Int, in world: HostWorld) {
        for _ in 0..<seconds {
            clocks.unixSeconds.withLock { $0 += 1 }
            world.pass(milliseconds: 1000)
            clocks.now.withLock { $0 = world.now }
            world.hosts[0].checkWallClock(at: world.now)
            world.pass(milliseconds: 0)
        }
    }

    private func set(by seconds: Double) { clocks.unixSeconds.withLock { $0 += seconds } }

    private func isOver(_ client: HostClient) -> Bool {
        client.channel.closed == FaultCode.tokenExpired.closeCode
    }

    @Test("a session ends within a second when the calendar is set to after its token's end")
    func forward() {
        let world = world()
        let client = world.connect()
        #expect(client.open()["type"]?.string == "welcome")
        pass(10, in: world)
        set(by: 49)
        pass(1, in: world)
        #expect(isOver(client))
        #expect(client.take().contains { $0["code"]?.string == "tokenExpired" })
    }

    @Test("where it is not over yet the session ends when it is")
    func sooner() {
        let world = world()
        let client = world.connect()
        client.open()
        pass(10, in: world)
        set(by: 30)
        pass(19, in: world)
        #expect(!isOver(client))
        pass(1, in: world)
        #expect(isOver(client))
    }

    @Test("set back, the calendar gives the token what time it has by it")
    func back() {
        let world = world()
        let client = world.connect()
        client.open()
        set(by: -30)
        pass(89, in: world)
        #expect(!isOver(client))
        pass(1, in: world)
        #expect(isOver(client))
    }

    @Test("a clock that is only steered changes nothing, nor does one set where it does not decide")
    func otherwise() {
        let steered = world()
        let client = steered.connect()
        client.open()
        let other = world(isDated: false)
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
