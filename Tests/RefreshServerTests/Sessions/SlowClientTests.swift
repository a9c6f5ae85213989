import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshServer

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

    /// A frame whose answer of about `bytes` has to wait.
    private static func ask(_ tester: SessionTester, pings: Int) {
        let ping = #"{"type":"ping","t":123456789}"#
        tester.feed("[" + Array(repeating: ping, count: pings).joined(separator: ",") + "]")
    }

    @Test(
        "nothing is read of a client while more than a quarter of queueBytesMax waits, until it has read"
    )
    func heldBack() {
        let tester = Self.tester { $0.queueBytesMax = 65_536 }
        tester.channel.isWritable = false
        var turns = 0
        while !tester.channel.isHeldBack, turns < 10_000 {
            Self.ask(tester, pings: 1)
            turns += 1
        }
        #expect(tester.channel.isHeldBack && tester.channel.closed == nil)
        #expect(tester.metrics.snapshot.holdsBegun == 1)
        let frames = tester.channel.frames.count
        let places = turns * QueuedMessage.ownBytes
        tester.channel.isWritable = true
        tester.session.becameWritable(at: tester.now)
        #expect(!tester.channel.isHeldBack)
        #expect(tester.metrics.snapshot.holdsEnded == 1)
        let waited = tester.channel.frames[frames...].reduce(0) { $0 + $1.utf8.count }
        // The answer that was one too many, and commas.
        #expect((16_385...16_384 + 200 + turns).contains(waited + places))
    }

    @Test("queueBytesMax: one byte more than may wait closes with 4101", arguments: [0, 1])
    func bytes(_ excess: Int) throws {
        let probe = Self.tester()
        probe.channel.isWritable = false
        Self.ask(probe, pings: 1)
        probe.channel.isWritable = true
        let before = probe.channel.frames.count
        probe.session.becameWritable(at: probe.now)
        let pong = probe.channel.frames[before].utf8.count + QueuedMessage.ownBytes
        let count = (65_536 + pong) / pong
        let tester = Self.tester { $0.queueBytesMax = count * pong - excess }
        tester.channel.isWritable = false
        for _ in 0..<count { Self.ask(tester, pings: 1) }
        #expect(tester.channel.closed == (excess == 0 ? nil : .slow))
        #expect(tester.metrics.snapshot.count(of: .slowClient) == excess)
    }

    @Test("queueAgeMs: whatever waits so long closes with 4101, an update of a view too")
    func age() throws {
        let tester = Self.tester { $0.queueAgeMs = 5000 }
        tester.channel.isWritable = false
        tester.now = Instant(milliseconds: 1000)
        tester.feed(#"{"type":"begin","view":"list","seq":2}"#)
        #expect(!tester.channel.isHeldBack)
        let due = try #require(tester.session.nextDeadline)
        #expect(due <= Instant(milliseconds: 6000))
        // What is said later does not wait longer for that.
        tester.now = Instant(milliseconds: 4000)
        Self.ask(tester, pings: 1)
        tester.session.wake(at: Instant(milliseconds: 5999.9))
        #expect(tester.channel.closed == nil)
        tester.session.wake(at: Instant(milliseconds: 6000))
        #expect(tester.channel.closed == .slow)
        #expect(tester.metrics.snapshot.count(of: .slowClient) == 1)
    }

    @Test("a client that reads now and then is not old, however long it goes on")
    func nowAndThen() {
        let tester = Self.tester { $0.queueAgeMs = 5000 }
        for turn in 0..<20 {
            tester.now = Instant(milliseconds: Double(turn) * 4000)
            tester.channel.isWritable = false
            Self.ask(tester, pings: 1)
            tester.now = Instant(milliseconds: Double(turn) * 4000 + 3900)
            tester.session.wake(at: tester.now)
            tester.channel.isWritable = true
            tester.session.becameWritable(at: tester.now)
        }
        #expect(tester.channel.closed == nil)
    }

    @Test("a frozen client costs a constant, however much its finger moved before")
    func frozen() {
        let tester = Self.tester()
        tester.channel.isWritable = false
        tester.feed(#"{"type":"scroll","view":"list","seq":2,"offset":0,"phase":"began"}"#)
        for turn in 0..<20_000 {
            tester.now = Instant(milliseconds: Double(turn))
            tester.feed(
                #"{"type":"scroll","view":"list","seq":\#(turn + 3),"offset":-\#(turn % 50),"phase":"dragging"}"#
            )
        }
        #expect(tester.channel.closed == nil && !tester.channel.isHeldBack)
        let before = tester.channel.frames.count
        tester.channel.isWritable = true
        tester.session.becameWritable(at: tester.now)
        let told = tester.messages(from: before)
        #expect(told.count == 1 && told[0]["ack"]?.number == 20_002)
    }

    @Test("a connection that ends while it is held back is not counted as held back any more")
    func lost() {
        let tester = Self.tester { $0.queueBytesMax = 65_536 }
        tester.channel.isWritable = false
        while !tester.channel.isHeldBack { Self.ask(tester, pings: 1) }
        tester.session.channelClosed(at: tester.now)
        let counted = tester.metrics.snapshot
        #expect(counted.holdsBegun == 1 && counted.holdsEnded == 1)
    }
}
