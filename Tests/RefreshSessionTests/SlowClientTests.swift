import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Clients that read slowly, or never.
@Suite("Slow clients")
struct SlowClientTests {
    private static func tester(_ change: (inout Limits) -> Void = { _ in }) -> SessionTester {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        limits.receivedBytesPerSecondMax = 1 << 30
        change(&limits)
        let tester = SessionTester(limits: limits)
        tester.open(feed: "songs")
        return tester
    }

    /// Sends a frame with `pings` pings.
    private static func sendPings(_ tester: SessionTester, pings: Int) {
        let ping = #"{"type":"ping","t":123456789}"#
        tester.feed("[" + Array(repeating: ping, count: pings).joined(separator: ",") + "]")
    }

    @Test(
        "While more than a quarter of queueBytesMax waits, reading from the client is paused"
    )
    func heldBack() {
        let tester = Self.tester { $0.queueBytesMax = 65_536 }
        tester.channel.isWritable = false
        var turns = 0
        while !tester.channel.isReadingPaused, turns < 10_000 {
            Self.sendPings(tester, pings: 1)
            turns += 1
        }
        #expect(tester.channel.isReadingPaused && tester.channel.closed == nil)
        #expect(tester.metrics.snapshot.holdsBegun == 1)
        let frames = tester.channel.frames.count
        let places = turns * QueuedMessage.ownBytes
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        #expect(!tester.channel.isReadingPaused)
        #expect(tester.metrics.snapshot.holdsEnded == 1)
        let waited = tester.channel.frames[frames...].reduce(0) { $0 + $1.utf8.count }
        // The upper bound allows for the answer that exceeded the quarter, and for the commas of
        // the batches.
        #expect((16_385...16_384 + 200 + turns).contains(waited + places))
    }

    @Test("queueBytesMax: one byte above it causes a close with 4101", arguments: [0, 1])
    func bytes(_ excess: Int) throws {
        let probe = Self.tester()
        probe.channel.isWritable = false
        Self.sendPings(probe, pings: 1)
        probe.channel.isWritable = true
        let before = probe.channel.frames.count
        probe.session.handle(.writable, at: probe.now)
        let pong = probe.channel.frames[before].utf8.count + QueuedMessage.ownBytes
        let count = (65_536 + pong) / pong
        let tester = Self.tester { $0.queueBytesMax = count * pong - excess }
        tester.channel.isWritable = false
        for _ in 0..<count { Self.sendPings(tester, pings: 1) }
        #expect(tester.channel.closed == (excess == 0 ? nil : .slow))
        #expect(tester.metrics.snapshot.count(of: .slowClient) == excess)
    }

    @Test("queueAgeMs: if even a single update waits for this time, the client is closed with 4101")
    func age() throws {
        let tester = Self.tester { $0.queueAgeMs = 5000 }
        tester.channel.isWritable = false
        tester.now = Instant(milliseconds: 1000)
        tester.feed(#"{"type":"begin","view":"list","seq":2}"#)
        #expect(!tester.channel.isReadingPaused)
        let due = try #require(tester.session.nextDeadline)
        #expect(due <= Instant(milliseconds: 6000))
        // Later output does not extend the wait.
        tester.now = Instant(milliseconds: 4000)
        Self.sendPings(tester, pings: 1)
        tester.session.handle(.wake, at: Instant(milliseconds: 5999.9))
        #expect(tester.channel.closed == nil)
        tester.session.handle(.wake, at: Instant(milliseconds: 6000))
        #expect(tester.channel.closed == .slow)
        #expect(tester.metrics.snapshot.count(of: .slowClient) == 1)
    }

    @Test("A client that reads at least once per queueAgeMs is not closed")
    func nowAndThen() {
        let tester = Self.tester { $0.queueAgeMs = 5000 }
        for turn in 0..<20 {
            tester.now = Instant(milliseconds: Double(turn) * 4000)
            tester.channel.isWritable = false
            Self.sendPings(tester, pings: 1)
            tester.now = Instant(milliseconds: Double(turn) * 4000 + 3900)
            tester.session.handle(.wake, at: tester.now)
            tester.channel.isWritable = true
            tester.session.handle(.writable, at: tester.now)
        }
        #expect(tester.channel.closed == nil)
    }

    /// The messages and bytes that wait for the client.
    private static func waiting(_ tester: SessionTester) -> (messages: Int, bytes: Int) {
        let conversation = tester.session.conversation.value
        return (conversation.outbox.messages.count, conversation.outbox.queuedBytes)
    }

    @Test("A client that scrolls but does not read has at most one waiting update per view")
    func frozen() {
        let views = 4
        let tester = Self.tester { $0.queueAgeMs = 3_600_000 }
        for view in 1..<views {
            tester.send(
                #"{"type":"attach","view":"v\#(view)","profile":"iqpulltorefresh","seq":\#(view + 1),"#
                    + #""geometry":{"viewport":{"width":390,"height":800}}}"#)
        }
        tester.channel.isWritable = false
        let names = ["list"] + (1..<views).map { "v\($0)" }
        var most = (messages: 0, bytes: 0)
        // The samples cover 16 minutes, with one finger in each view. A finger is down for six
        // seconds at a time.
        let samples = 64 * 150
        for turn in 0..<samples {
            tester.now = Instant(milliseconds: Double(turn) * 100)
            let (step, offset) = (turn % 64, -(turn % 50))
            let phase = step == 0 ? "began" : step == 63 ? "cancelled" : "dragging"
            let frame = names.enumerated().map { index, view in
                #"{"type":"scroll","view":"\#(view)","seq":\#(turn * views + index + 9),"#
                    + #""offset":\#(offset),"phase":"\#(phase)"}"#
            }
            tester.feed("[" + frame.joined(separator: ",") + "]")
            let now = Self.waiting(tester)
            most = (max(most.messages, now.messages), max(most.bytes, now.bytes))
        }
        #expect(most == (views, 0))
        #expect(tester.channel.closed == nil && !tester.channel.isReadingPaused)
        let before = tester.channel.frames.count
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        let messages = tester.messages(from: before)
        #expect(messages.count == views)
        #expect(messages[0]["ack"]?.number == Double(samples * views + 8))
    }

    @Test(
        "If a client loads but does not read, reading from it pauses at a quarter of queueBytesMax"
    )
    func frozenLoads() throws {
        let tester = Self.tester { $0.queueAgeMs = 3_600_000 }
        let quarter = Limits().queueBytesMax / 4
        let items =
            "["
            + Array(repeating: #"{"n":"\#(String(repeating: "x", count: 90))"}"#, count: 50)
            .joined(separator: ",") + "]"
        tester.feed(#"{"type":"refresh","view":"list","seq":2}"#)
        let (first, _) = try #require(tester.dispatcher.started.last)
        let page = Page(items: Array(items.utf8), count: 50, more: true)
        tester.session.handle(.load(first, .ended(.page(page))), at: tester.now)
        tester.dispatcher.started = []
        tester.channel.isWritable = false
        var (most, before, largest, turns) = (0, 0, 0, 0)
        while turns < 200_000 {
            // While reading is paused, the transport delivers nothing to the session.
            guard !tester.channel.isReadingPaused else { break }
            tester.now = Instant(milliseconds: Double(turns) * 16.7)
            tester.feed(#"{"type":"loadMore","view":"list","seq":\#(turns + 2)}"#)
            if let (ticket, _) = tester.dispatcher.started.popLast() {
                tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
            }
            let now = Self.waiting(tester).bytes
            (most, largest, before) = (max(most, now), max(largest, now - before), now)
            turns += 1
        }
        #expect(tester.channel.isReadingPaused && tester.channel.closed == nil)
        #expect(tester.metrics.snapshot.holdsBegun == 1)
        #expect(most > quarter && most <= quarter + largest)
        // Each message of the client adds one page and a few short messages to the queue.
        #expect((items.utf8.count..<items.utf8.count + 2048).contains(largest))
        // The session queues nothing on its own while the client does not read.
        for second in 0..<600 {
            tester.session.handle(
                .wake, at: tester.now.advanced(byMilliseconds: Double(second) * 1000))
        }
        #expect(Self.waiting(tester).bytes <= most && tester.channel.closed == nil)
    }

    @Test("When a connection ends while reading from it is paused, the pause is counted as ended")
    func lost() {
        let tester = Self.tester { $0.queueBytesMax = 65_536 }
        tester.channel.isWritable = false
        while !tester.channel.isReadingPaused { Self.sendPings(tester, pings: 1) }
        tester.session.handle(.closed, at: tester.now)
        let counted = tester.metrics.snapshot
        #expect(counted.holdsBegun == 1 && counted.holdsEnded == 1)
    }
}
