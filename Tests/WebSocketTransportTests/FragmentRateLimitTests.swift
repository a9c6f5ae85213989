import Testing

@testable import WebSocketTransport

@Suite("Rate limit of fragments")
struct FragmentRateLimitTests {
    @Test("The limit permits a burst of twice the rate and then the rate, even if the clock wraps")
    func rate() {
        for start in [0, UInt32.max - 500] {
            var loose = FragmentRateLimit(perSecond: 10)
            func taken(_ count: Int, at ms: UInt32) -> Int {
                (0..<count).count { _ in loose.consume(atMs: start &+ ms) }
            }
            #expect(taken(30, at: 100) == 20)
            #expect(taken(30, at: 199) == 0)
            #expect(taken(30, at: 200) == 1)
            #expect(taken(30, at: 1200) == 10)
            #expect(taken(50, at: 9999) == 20)
        }
    }

    @Test("Without a limit every frame is accepted")
    func unbounded() {
        var loose = FragmentRateLimit(perSecond: .max)
        let taken = (0..<100_000).count { _ in loose.consume(atMs: 5) }
        #expect(taken == 100_000)
    }
}
