import RefreshProtocol
import Testing

@testable import RefreshServer
@testable import RefreshSession

/// Tests the arithmetic of the inbound rate limits of a session.
@Suite("Inbound rate limit")
struct InboundRateLimitTests {
    /// Returns how many frames of `bytes` bytes are accepted in a burst at this time, and the fault
    /// of the next frame.
    private static func burst(
        _ allowance: inout InboundRateLimit, bytes: Int, atMs ms: Double
    ) -> (count: Int, fault: FaultCode?) {
        for count in 0..<1_000_000 where !allowance.consume(bytes: bytes) {
            if let fault = allowance.refill(at: Instant(milliseconds: ms)) { return (count, fault) }
        }
        return (1_000_000, nil)
    }

    private static func limits(frames: Int, bytes: Int) -> Limits {
        var limits = Limits()
        limits.framesPerSecondMax = frames
        limits.receivedBytesPerSecondMax = bytes
        return limits
    }

    @Test(
        "A new session may send a burst of exactly twice its rate",
        arguments: [10, 17, 1000, 100_000])
    func fresh(_ frames: Int) {
        var byFrames = InboundRateLimit(Self.limits(frames: frames, bytes: 1 << 30), now: .origin)
        let frameBurst = Self.burst(&byFrames, bytes: 1, atMs: 0)
        #expect(frameBurst == (2 * frames, .tooManyFrames))
        var byBytes = InboundRateLimit(Self.limits(frames: 1_000_000, bytes: 1024), now: .origin)
        let byteBurst = Self.burst(&byBytes, bytes: 8, atMs: 0)
        #expect(byteBurst == (256, .tooManyBytes))
    }

    @Test("After the burst, a session may send its rate each second, however the frames are spread")
    func steady() {
        var allowance = InboundRateLimit(Self.limits(frames: 100, bytes: 1 << 30), now: .origin)
        for _ in 0..<200 where !allowance.consume(bytes: 1) {
            let fault = allowance.refill(at: .origin)
            #expect(fault == nil)
        }
        let second = Self.burst(&allowance, bytes: 1, atMs: 1000)
        #expect(second == (100, .tooManyFrames))
        var calm = InboundRateLimit(Self.limits(frames: 100, bytes: 1 << 30), now: .origin)
        for turn in 0..<2000 where !calm.consume(bytes: 1) {
            let fault = calm.refill(at: Instant(milliseconds: Double(turn) * 10))
            #expect(fault == nil)
        }
    }

    @Test("After a quiet time, the burst is twice the rate, plus at most a sixteenth of the rate")
    func quiet() {
        var allowance = InboundRateLimit(Self.limits(frames: 160, bytes: 1 << 30), now: .origin)
        for _ in 0..<5 where !allowance.consume(bytes: 1) {
            let fault = allowance.refill(at: .origin)
            #expect(fault == nil)
        }
        let (count, fault) = Self.burst(&allowance, bytes: 1, atMs: 60_000)
        #expect(fault == .tooManyFrames)
        #expect((320...330).contains(count))
    }

    /// Consumes one frame of this many bytes at the time 0, and returns the fault if it is refused.
    private static func consume(_ bytes: Int, of allowance: inout InboundRateLimit) -> FaultCode? {
        allowance.consume(bytes: bytes) ? nil : allowance.refill(at: .origin)
    }

    @Test("A frame above the rate is accepted, but a frame above the burst is refused")
    func large() {
        var allowance = InboundRateLimit(Self.limits(frames: 1000, bytes: 1600), now: .origin)
        let all = Self.consume(3200, of: &allowance)
        let more = Self.consume(1, of: &allowance)
        #expect(all == nil && more == .tooManyBytes)
        var other = InboundRateLimit(Self.limits(frames: 1000, bytes: 1600), now: .origin)
        let tooMany = Self.consume(3201, of: &other)
        #expect(tooMany == .tooManyBytes)
    }

    @Test(
        "A refused frame uses up the remaining budget but no more, and the budget recovers with time",
        arguments: [1601, 3201, 65_536, 16_777_216])
    func refused(_ bytes: Int) {
        var allowance = InboundRateLimit(Self.limits(frames: 1000, bytes: 1600), now: .origin)
        var refusals = 0
        for _ in 0..<3 where Self.consume(bytes, of: &allowance) != nil { refusals += 1 }
        #expect(refusals >= 2)
        let atOnce = Self.consume(1, of: &allowance)
        #expect(atOnce == .tooManyBytes)
        let (count, fault) = Self.burst(&allowance, bytes: 16, atMs: 1000)
        #expect(fault == .tooManyBytes && count == 100)
        let (later, _) = Self.burst(&allowance, bytes: 16, atMs: 60_000)
        #expect(later == 200)
    }

    @Test("Frames that are refused because of their number do not use up the budget of bytes")
    func refusedFrames() {
        var allowance = InboundRateLimit(Self.limits(frames: 10, bytes: 65_536), now: .origin)
        _ = Self.burst(&allowance, bytes: 10, atMs: 0)
        for _ in 0..<100 {
            let fault = Self.consume(65_536, of: &allowance)
            #expect(fault == .tooManyFrames)
        }
        let (count, fault) = Self.burst(&allowance, bytes: 1000, atMs: 1000)
        #expect(count == 10 && fault == .tooManyFrames)
    }
}
