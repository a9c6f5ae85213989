import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Frames that the channel has sent only in part. The rest waits in the layers below the session.
@Suite("Half-sent frames")
struct HalfSentTests {
    private static func tester(_ change: (inout Limits) -> Void = { _ in }) -> SessionTester {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        limits.receivedBytesPerSecondMax = 1 << 30
        limits.queueAgeMs = 2000
        change(&limits)
        let tester = SessionTester(limits: limits)
        tester.open(feed: "songs")
        return tester
    }

    /// Loads a page of about `bytes` bytes, of which the channel sends only a part.
    private static func page(_ bytes: Int, to tester: SessionTester, seq: Int = 2) throws {
        tester.channel.takesWhole = true
        tester.feed(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
        tester.channel.takesWhole = false
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        let item = #"{"text":"\#(String(repeating: "x", count: bytes))"}"#
        let page = Page(items: Array("[\(item)]".utf8), count: 1, more: true)
        tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
    }

    private static func portrait(_ tester: SessionTester) -> JSONValue? {
        let bytes = tester.session.detailsJSON(at: tester.now)
        return try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    }

    @Test("A half-sent frame may wait at most for queueAgeMs, even if no message is queued")
    func age() throws {
        let tester = Self.tester()
        tester.now = Instant(milliseconds: 1000)
        try Self.page(100_000, to: tester)
        #expect(tester.channel.wantsWritable)
        let due = try #require(tester.session.nextDeadline)
        #expect(due <= Instant(milliseconds: 3000))
        tester.session.handle(.wake, at: Instant(milliseconds: 2999.9))
        #expect(tester.channel.closed == nil)
        tester.session.handle(.wake, at: Instant(milliseconds: 3000))
        #expect(tester.channel.closed == .slow)
        #expect(tester.metrics.snapshot.count(of: .slowClient) == 1)
    }

    @Test("The wait of a message after a half-sent frame counts from the start of the frame's wait")
    func behind() throws {
        let tester = Self.tester()
        try Self.page(100_000, to: tester)
        tester.now = Instant(milliseconds: 1900)
        tester.feed(#"{"type":"ping","t":1}"#)
        tester.session.handle(.wake, at: Instant(milliseconds: 2000))
        #expect(tester.channel.closed == .slow)
    }

    @Test("When the rest of a half-sent frame is sent, the wait ends and its duration is counted")
    func rest() throws {
        let tester = Self.tester()
        try Self.page(100_000, to: tester)
        let page = try #require(tester.channel.frames.last)
        #expect(Self.portrait(tester)?["queuedBytes"]?.number == Double(page.utf8.count))
        tester.now = Instant(milliseconds: 1500)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        #expect(Self.portrait(tester)?["queuedBytes"]?.number == 0)
        #expect(tester.metrics.snapshot.queueAges.counts.reduce(0, +) == 1)
        // After the frame has been sent, its deadline no longer applies.
        tester.session.handle(.wake, at: Instant(milliseconds: 10_000))
        #expect(tester.channel.closed == nil)
    }

    @Test(
        "A half-sent frame counts against queueBytesMax, but leaves a quarter of it for the queue",
        arguments: [(40_000, 65_536 - 40_000), (200_000, 16_384)])
    func bytes(halfSent: Int, capacity: Int) throws {
        let tester = Self.tester { $0.queueBytesMax = 65_536 }
        try Self.page(halfSent, to: tester)
        #expect(tester.channel.closed == nil)
        let excess = try #require(tester.channel.frames.last).utf8.count - halfSent
        let ping = #"{"type":"ping","t":123456789}"#
        let probe = Self.tester()
        probe.feed(#"{"type":"refresh","view":"list","seq":2}"#)
        probe.feed(ping)
        let pong = try #require(probe.channel.frames.last).utf8.count
        var turns = 0
        while tester.channel.closed == nil, turns < 10_000 {
            tester.feed(ping)
            turns += 1
        }
        #expect(tester.channel.closed == .slow)
        let waited = turns * (pong + QueuedMessage.ownBytes)
        #expect((capacity - excess - 200...capacity + 200).contains(waited))
    }

    @Test("A session that closes does not wait for the rest of its last frame")
    func closing() {
        let tester = Self.tester()
        tester.channel.takesWhole = false
        tester.feed(#"{"type":"bye"}"#)
        #expect(tester.channel.closed == .normal)
        #expect(tester.session.nextDeadline == nil)
    }
}
