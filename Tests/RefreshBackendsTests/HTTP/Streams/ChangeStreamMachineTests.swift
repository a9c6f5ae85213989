import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

@Suite("The connection of a stream of changes")
struct ChangeStreamMachineTests {
    private typealias Effect = ChangeStreamMachine.Effect

    /// A machine at a time that the test sets.
    private struct Harness {
        var machine: ChangeStreamMachine
        var now = Instant(milliseconds: 0)

        init(seed: UInt64 = 1) { machine = ChangeStreamMachine(seed: seed, at: now) }

        @discardableResult
        mutating func send(
            _ input: ChangeStreamMachine.Input, after ms: Double = 0
        ) -> [ChangeStreamMachine.Effect] {
            now = now.advanced(byMilliseconds: ms)
            var effects: [ChangeStreamMachine.Effect] = []
            machine.handle(input, at: now, into: &effects)
            return effects
        }

        mutating func receive(_ text: String) -> [ChangeStreamMachine.Effect] {
            send(.received(Array(text.utf8)))
        }

        /// Waits until the next deadline. Returns the time in milliseconds.
        mutating func wait() -> Double {
            let deadline = machine.nextDeadline ?? now
            defer { now = deadline }
            return Double(deadline.microseconds - now.microseconds) / 1000
        }

        /// Connects and receives the head of a stream.
        @discardableResult
        mutating func open() -> [ChangeStreamMachine.Effect] {
            _ = wait()
            send(.clockAdvanced)
            return send(.answered(status: 200, contentType: "text/event-stream"))
        }
    }

    @Test("The stream connects at once, and passes the data of its events on")
    func events() {
        var harness = Harness()
        #expect(harness.wait() == 0)
        #expect(harness.send(.clockAdvanced) == [.connect(lastID: [])])
        #expect(
            harness.send(.answered(status: 200, contentType: "Text/Event-Stream; charset=utf-8"))
                == [.opened, .missed])
        #expect(
            harness.receive("data: {}\n\n:\n\ndata\n\ndata: x") == [
                .report(Array("{}".utf8)), .missed,
            ])
        #expect(harness.receive("y\n\n") == [.report(Array("xy".utf8))])
    }

    @Test("A new connection sends the identity of the last event, and drops a part of an event")
    func identity() {
        var harness = Harness()
        harness.open()
        _ = harness.receive("id: 7\ndata: a\n\nid: 8\ndata: b\n")
        #expect(harness.send(.ended(failure: nil)) == [.closed(reason: "The answer has ended.")])
        let delay = harness.wait()
        #expect((2700...3300).contains(delay))
        #expect(harness.send(.clockAdvanced) == [.connect(lastID: Array("7".utf8))])
        #expect(
            harness.send(.answered(status: 200, contentType: "text/event-stream")) == [.opened])
        #expect(harness.receive("data: c\n\n") == [.report(Array("c".utf8))])
    }

    @Test("Without an identity, each connection may have missed changes, also the first one")
    func missed() {
        var harness = Harness()
        #expect(harness.open() == [.opened, .missed])
        harness.send(.ended(failure: "lost"))
        #expect(harness.open() == [.opened, .missed])
        var late = Harness()
        _ = late.wait()
        late.send(.clockAdvanced)
        late.send(.ended(failure: "refused"))
        #expect(late.open() == [.opened, .missed])
    }

    @Test(
        "Each failure in a row doubles the time, up to a minute, and 10 s of a stream end the row")
    func backOff() {
        for seed in 0..<20 as Range<UInt64> {
            var harness = Harness(seed: seed)
            var expected = 3000.0
            for _ in 0..<10 {
                _ = harness.send(.clockAdvanced)
                #expect(harness.send(.ended(failure: "x")) == [.failed(reason: "x")])
                let ms = harness.wait()
                #expect((expected * 0.899...expected * 1.101).contains(ms), "seed \(seed): \(ms)")
                expected = min(expected * 2, 60_000)
            }
            harness.open()
            harness.send(.ended(failure: "x"), after: 9_999)
            let longest = harness.wait()
            #expect((53_940...66_060).contains(longest), "seed \(seed)")
            harness.open()
            harness.send(.ended(failure: "x"), after: 10_000)
            let delay = harness.wait()
            #expect((2690...3310).contains(delay), "seed \(seed)")
        }
    }

    @Test("A server that answers at once and closes is called ever more rarely")
    func storm() {
        var harness = Harness()
        var connections = 0
        while harness.now < Instant(milliseconds: 600_000) {
            harness.open()
            connections += 1
            _ = harness.receive("retry: 100\nid: \(connections)\ndata: {}\n\n")
            harness.send(.ended(failure: nil))
        }
        #expect((12...18).contains(connections))
    }

    @Test("The stream can state the time before the next connection")
    func retry() {
        var harness = Harness()
        harness.open()
        _ = harness.receive("retry: 1500\n")
        harness.send(.ended(failure: nil))
        let delay = harness.wait()
        #expect((1349...1651).contains(delay))
    }

    @Test("A stream that sends nothing for 90 s is closed, whether or not it has begun")
    func silence() {
        var harness = Harness()
        harness.send(.clockAdvanced)
        #expect(harness.send(.clockAdvanced, after: 89_999).isEmpty)
        #expect(
            harness.send(.clockAdvanced, after: 1)
                == [.close, .failed(reason: "There was nothing for 90 s.")])
        harness.open()
        harness.send(.received([0x3A]), after: 60_000)
        #expect(harness.send(.clockAdvanced, after: 60_000).isEmpty)
        #expect(harness.send(.clockAdvanced, after: 30_000).first == .close)
    }

    @Test("The status 204 ends the stream for ever")
    func stopped() {
        var harness = Harness()
        harness.send(.clockAdvanced)
        #expect(harness.send(.answered(status: 204, contentType: nil)) == [.close, .stopped])
        #expect(harness.machine.nextDeadline == nil)
        #expect(harness.send(.ended(failure: nil), after: 1e9).isEmpty)
        #expect(harness.send(.clockAdvanced).isEmpty)
    }

    @Test(
        "Another status, and another type of content, are failures",
        arguments: [
            (500, "text/event-stream"), (301, nil), (206, "text/event-stream"), (200, nil),
            (200, "text/html"), (200, "text/event-streams"),
        ] as [(Int, String?)])
    func refused(status: Int, type: String?) {
        var harness = Harness()
        harness.send(.clockAdvanced)
        let effects = harness.send(.answered(status: status, contentType: type))
        #expect(effects.count == 2 && effects.first == .close)
        #expect(harness.send(.received([0x0A])).isEmpty)
        let delay = harness.wait()
        #expect((2690...3310).contains(delay))
    }

    @Test("A line that is too long ends the connection and counts as a change")
    func tooLong() {
        var harness = Harness()
        harness.open()
        let line = [UInt8](repeating: 0x78, count: 262_145)
        #expect(
            harness.send(.received(line)) == [
                .fault, .missed, .close, .failed(reason: "A line or an event is too large."),
            ])
        let delay = harness.wait()
        #expect((2690...3310).contains(delay))
        harness.open()
        harness.send(.received(line))
        let second = harness.wait()
        #expect((5390...6610).contains(second))
    }
}
