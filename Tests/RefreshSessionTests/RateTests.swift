import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

/// The limits on a client's frames and bytes per second, and on the time without messages.
@Suite("Rates")
struct RateTests {
    private static func tester(_ change: (inout Limits) -> Void) -> SessionTester {
        var limits = Limits()
        change(&limits)
        let tester = SessionTester(limits: limits)
        tester.send(#"{"type":"hello","protocol":1}"#)
        return tester
    }

    private static let ping = #"{"type":"ping","t":1}"#

    @Test(
        "framesPerSecondMax: a burst of twice the limit is handled; one more frame causes 4104"
    )
    func frames() {
        let tester = Self.tester { $0.framesPerSecondMax = 20 }
        for _ in 1..<40 { #expect(tester.send(Self.ping).first?["type"]?.string == "pong") }
        #expect(tester.channel.closed == nil)
        let messages = tester.send(Self.ping)
        #expect(messages.count == 1 && messages[0]["code"]?.string == "tooManyFrames")
        #expect(tester.channel.closed == .tooFast)
        #expect(tester.metrics.snapshot.count(of: .tooManyFrames) == 1)
    }

    @Test(
        "Each message of a batch counts, and a message beyond the limit is not handled",
        arguments: [39, 40])
    func batches(_ count: Int) {
        let tester = Self.tester { $0.framesPerSecondMax = 20 }
        let messages = tester.send(
            "[" + Array(repeating: Self.ping, count: count).joined(separator: ",") + "]")
        #expect(messages.count { $0["type"]?.string == "pong" } == 39)
        #expect(messages.last?["code"]?.string == (count > 39 ? "tooManyFrames" : nil))
        #expect(tester.channel.closed == (count > 39 ? .tooFast : nil))
    }

    @Test("A client that sends at exactly the permitted rate is not limited")
    func steady() {
        let tester = Self.tester { $0.framesPerSecondMax = 20 }
        for turn in 0..<1000 {
            tester.now = Instant(milliseconds: Double(turn) * 50)
            #expect(tester.send(Self.ping).first?["type"]?.string == "pong")
        }
        #expect(tester.channel.closed == nil)
    }

    @Test("receivedBytesPerSecondMax: a burst of twice the limit is handled, one more byte is not")
    func bytes() {
        let hello = #"{"type":"hello","protocol":1}"#.utf8.count
        func ping(bytes: Int) -> String {
            Self.ping + String(repeating: " ", count: bytes - Self.ping.utf8.count)
        }
        for excess in [0, 1] {
            let tester = Self.tester { $0.receivedBytesPerSecondMax = 4096 }
            let messages = tester.send(ping(bytes: 8192 - hello + excess))
            #expect(messages.first?["type"]?.string == (excess == 0 ? "pong" : "error"))
            #expect(messages.first?["code"]?.string == (excess == 0 ? nil : "tooManyBytes"))
            #expect(tester.channel.closed == (excess == 0 ? nil : .tooFast))
            #expect(tester.metrics.snapshot.count(of: .tooManyBytes) == excess)
        }
    }

    @Test("Binary frames count against the rate limit, although their content is ignored")
    func binary() {
        let tester = Self.tester {
            $0.framesPerSecondMax = 10
            $0.faultBudgetMax = 1000
        }
        for _ in 0..<19 { tester.session.handle(.binary, at: tester.now) }
        #expect(tester.channel.closed == nil)
        tester.session.handle(.binary, at: tester.now)
        #expect(tester.channel.closed == .tooFast)
    }

    @Test("After a frame has exceeded the limit, later frames are not handled")
    func afterwards() {
        let tester = Self.tester { $0.framesPerSecondMax = 10 }
        for _ in 0..<30 { tester.send(Self.ping) }
        let frames = tester.channel.frames.count
        tester.now = Instant(milliseconds: 60_000)
        #expect(tester.send(Self.ping).isEmpty)
        #expect(tester.channel.frames.count == frames)
    }

    @Test("idleTimeoutMs: a client that is silent for this time is closed with 4105")
    func idle() throws {
        let tester = Self.tester { $0.idleTimeoutMs = 60_000 }
        tester.now = Instant(milliseconds: 30_000)
        tester.send(Self.ping)
        // The session wakes after the first minute, and finds that a message has arrived during
        // this minute.
        var looks = 0
        while let due = tester.session.nextDeadline, due < Instant(milliseconds: 90_000) {
            tester.session.handle(.wake, at: due)
            looks += 1
        }
        #expect(looks <= 2)
        #expect(tester.session.nextDeadline == Instant(milliseconds: 90_000))
        tester.session.handle(.wake, at: Instant(milliseconds: 89_999.9))
        #expect(tester.channel.closed == nil)
        let frames = tester.channel.frames.count
        tester.session.handle(.wake, at: Instant(milliseconds: 90_000))
        #expect(tester.messages(from: frames).first?["code"]?.string == "idleClient")
        #expect(tester.channel.closed == .idle)
        #expect(tester.metrics.snapshot.count(of: .idleClient) == 1)
    }

    /// A tester whose client sends much and reads nothing, so that reading from it is paused.
    private static func heldBack() -> SessionTester {
        let tester = tester {
            $0.framesPerSecondMax = 1_000_000
            $0.receivedBytesPerSecondMax = 1 << 30
            $0.queueBytesMax = 65_536
            $0.idleTimeoutMs = 60_000
            $0.queueAgeMs = 3_600_000
        }
        tester.channel.isWritable = false
        var turns = 0
        while !tester.channel.isReadingPaused, turns < 10_000 {
            tester.feed(#"{"type":"ping","t":123456789}"#)
            turns += 1
        }
        return tester
    }

    @Test("While reading from a client is paused, queueAgeMs applies but idleTimeoutMs does not")
    func idleButHeldBack() {
        let tester = Self.heldBack()
        let began = tester.now
        tester.session.handle(.wake, at: began.advanced(byMilliseconds: 3_599_999.0))
        #expect(tester.channel.isReadingPaused && tester.channel.closed == nil)
        tester.session.handle(.wake, at: began.advanced(byMilliseconds: 3_600_000.0))
        #expect(tester.channel.closed == .slow)
        #expect(tester.metrics.snapshot.count(of: .slowClient) == 1)
        #expect(tester.metrics.snapshot.count(of: .idleClient) == 0)
    }

    @Test("After reading was paused, a client's silence counts from the end of the pause")
    func idleAfterHeldBack() {
        let tester = Self.heldBack()
        let readAgain = tester.now.advanced(byMilliseconds: 600_000.0)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: readAgain)
        #expect(!tester.channel.isReadingPaused)
        tester.session.handle(.wake, at: readAgain)
        tester.session.handle(.wake, at: readAgain.advanced(byMilliseconds: 59_999.0))
        #expect(tester.channel.closed == nil)
        tester.session.handle(.wake, at: readAgain.advanced(byMilliseconds: 60_000.0))
        #expect(tester.channel.closed == .idle)
    }

    @Test("If idleTimeoutMs is 0, a client may be silent forever")
    func neverIdle() {
        let tester = Self.tester { $0.idleTimeoutMs = 0 }
        while let due = tester.session.nextDeadline, due < .never {
            tester.session.handle(.wake, at: due)
        }
        tester.session.handle(.wake, at: Instant(milliseconds: 1e12))
        #expect(tester.channel.closed == nil)
    }
}
