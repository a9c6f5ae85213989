import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

@Suite("Responsiveness metrics")
struct ResponsivenessMetricsTests {
    private static func scroll(_ seq: Int, _ offset: Int, view: String = "list") -> String {
        #"{"type":"scroll","view":"\#(view)","seq":\#(seq),"offset":\#(offset),"phase":"dragging"}"#
    }

    @Test(
        "Of consecutive samples of one view in a frame, all except the last count as coalesced",
        arguments: [#""plain""#, #""stream""#, #""local""#])
    func samples(frames: String) {
        let tester = SessionTester()
        tester.open(frames: frames)
        tester.send(Self.scroll(2, 0))
        tester.send(Self.scroll(3, -10))
        #expect(tester.metrics.snapshot.coalescedSamples == 0)
        tester.send("[\(Self.scroll(4, -20)),\(Self.scroll(5, -30)),\(Self.scroll(6, -40))]")
        #expect(tester.metrics.snapshot.coalescedSamples == 2)
        // A ping separates the first two samples, and the last two are of different views.
        tester.send(
            "[\(Self.scroll(7, -20)),{\"type\":\"ping\",\"t\":1},\(Self.scroll(8, -30)),"
                + "\(Self.scroll(9, -40, view: "other"))]")
        #expect(tester.metrics.snapshot.coalescedSamples == 2)
    }

    @Test(
        "While the client does not read, each update that merges into an unsent one is counted",
        arguments: [#""plain""#, #""stream""#])
    func updates(frames: String) {
        let tester = SessionTester()
        tester.open(frames: frames)
        tester.send(Self.scroll(2, 0))
        for seq in 3...6 { tester.send(Self.scroll(seq, -2 * seq)) }
        #expect(tester.metrics.snapshot.coalescedUpdates == 0)
        tester.channel.isWritable = false
        for seq in 7...11 { tester.feed(Self.scroll(seq, -2 * seq)) }
        #expect(tester.metrics.snapshot.coalescedUpdates == 4)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        tester.send(Self.scroll(12, -30))
        #expect(tester.metrics.snapshot.coalescedUpdates == 4)
    }

    @Test("The time that output waits for the socket is counted when the output is sent")
    func queueAge() {
        let tester = SessionTester()
        tester.open()
        tester.channel.isWritable = false
        tester.feed(#"{"type":"ping","t":1}"#)
        tester.now = tester.now.advanced(byMilliseconds: 40.0)
        tester.feed(#"{"type":"ping","t":2}"#)
        tester.now = tester.now.advanced(byMilliseconds: 60.0)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        let ages = tester.metrics.snapshot.queueAges
        #expect(ages.sumMicroseconds == 100_000)
        #expect(ages.counts.reduce(0, +) == 1)
        tester.send(#"{"type":"ping","t":3}"#)
        #expect(tester.metrics.snapshot.queueAges == ages)
    }
}

@Suite("Start times of loads")
struct LoadStartTimesTests {
    @Test("The duration of a load can be read until the load ends, and is never negative")
    func times() {
        var clock = LoadStartTimes()
        let first = LoadID(generation: 1, number: 1)
        let second = LoadID(generation: 1, number: 2)
        clock.recordStart(of: first, at: Instant(milliseconds: 10))
        clock.recordStart(of: second, at: Instant(milliseconds: 20))
        #expect(clock.elapsedMs(of: first, at: Instant(milliseconds: 30)) == 20)
        #expect(clock.recordEnd(of: first, at: Instant(milliseconds: 35)) == 25)
        #expect(clock.recordEnd(of: first, at: Instant(milliseconds: 40)) == nil)
        #expect(clock.elapsedMs(of: first, at: Instant(milliseconds: 40)) == nil)
        // A duration is not negative, even if the clock has gone back.
        #expect(clock.recordEnd(of: second, at: Instant(milliseconds: 15)) == 0)
    }
}
