import RefreshProtocol
import Testing

@testable import LoadTesting

@Suite("One client of a load test")
struct LoadedSessionTests {
    private static func session() throws -> LoadedSession {
        let gestures = try TouchTrace.builtIn(matching: ["flick.stream"]).map {
            try LoadGesture($0)
        }
        return LoadedSession(target: 0, gestures: gestures, seed: 1, reconnects: true)
    }

    /// The number of the attempt after which the pauses are the longest.
    private static let longest = 9
    private static let second: Int64 = 1_000_000

    @Test("The pauses grow with each failed attempt, however long ago the last `welcome` was")
    func growingPauses() throws {
        let session = try Self.session()
        #expect(session.recordWelcome(at: 0) == nil)
        var now = 6 * Self.second
        for attempt in 0...Self.longest {
            _ = session.recordLoss(at: now)
            let delay = session.nextAttemptDelay()
            #expect(ReconnectionDelay.range(ofAttempt: attempt).contains(delay), "\(attempt)")
            now += delay
        }
        // The last attempt could not have had this pause as the first one.
        #expect(
            ReconnectionDelay.range(ofAttempt: Self.longest).lowerBound
                > ReconnectionDelay.range(ofAttempt: 0).upperBound)
    }

    @Test("After 5 s with a connection the next attempt is the first again, and not before")
    func resetPauses() throws {
        let session = try Self.session()
        #expect(session.recordWelcome(at: 0) == nil)
        for _ in 0..<Self.longest {
            _ = session.recordLoss(at: 0)
            _ = session.nextAttemptDelay()
        }
        let back = 100 * Self.second
        #expect(session.recordWelcome(at: back) == back)
        _ = session.recordLoss(at: back + 5 * Self.second - 1)
        let long = ReconnectionDelay.range(ofAttempt: Self.longest)
        #expect(long.contains(session.nextAttemptDelay()))
        #expect(session.recordWelcome(at: 2 * back) != nil)
        _ = session.recordLoss(at: 2 * back + 5 * Self.second)
        #expect(ReconnectionDelay.range(ofAttempt: 0).contains(session.nextAttemptDelay()))
    }

    @Test("A connection is dead if the oldest ping has no `pong` in ten intervals between checks")
    func liveness() {
        var check = LivenessCheck()
        func isAlive(_ ping: Int?) -> Bool {
            check.recordCheck(oldest: ping, intervals: LivenessCheck.intervals)
        }
        for _ in 0..<100 { #expect(isAlive(nil)) }
        // Each `pong` begins the time anew.
        for ping in 0..<100 { #expect(isAlive(ping)) }
        for _ in 1..<LivenessCheck.intervals { #expect(isAlive(99)) }
        #expect(!isAlive(99))
        #expect(isAlive(100))
    }

    @Test("A client has twice as long for the answer to its `hello`, and none without a ping")
    func deadConnection() throws {
        let session = try Self.session()
        func checks() -> Int { (1...100).first { _ in !session.checkLiveness() } ?? 0 }
        session.phase = .playing
        #expect(checks() == 0)
        #expect(session.recordSent(dueAt: 0, at: 0) == 0)
        #expect(checks() == LivenessCheck.intervals + 1)
        #expect(session.recordAnswer(0) == 0)
        #expect(checks() == 0)
        session.phase = .greeting
        #expect(session.recordSent(dueAt: 0, at: 0) == 1)
        #expect(checks() == LivenessCheck.greetingIntervals + 1)
    }

    @Test("A client owes `ping` if it has sent nothing for the heartbeat and awaits no answer")
    func ping() throws {
        let session = try Self.session()
        session.phase = .playing
        #expect(!session.owesPing(at: .max), "there was no `welcome`")
        let welcome = #"{"type":"welcome","session":"s","token":"t","heartbeat":3000}"#
        _ = session.resume?.apply([try JSONValue(parsing: welcome)])
        let ping = session.recordSent(dueAt: 0, at: 7)
        #expect(!session.owesPing(at: 100 * Self.second), "a `pong` is awaited")
        #expect(session.recordAnswer(ping) == 0)
        #expect(!session.owesPing(at: 3 * Self.second + 6))
        #expect(session.owesPing(at: 3 * Self.second + 7))
        session.phase = .greeting
        #expect(!session.owesPing(at: 3 * Self.second + 7))
    }
}
