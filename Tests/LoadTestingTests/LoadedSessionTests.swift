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
}
