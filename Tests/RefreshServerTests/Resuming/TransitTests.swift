import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A session moves between loops, or within one loop, while the jobs of different loops run in a
/// random order. Every result that arrives during the move must reach the session.
@Suite("A session in transit")
struct TransitTests {
    /// A random case on three loops. A session begins on the loop `original`. Its client may first
    /// resume on the loop `between`. In the test, the client resumes on the loop `last`.
    private struct Way: CustomStringConvertible {
        let seed: UInt64
        var dice: SeededRandom
        let original: Int
        let between: Int?
        let last: Int

        init(seed: UInt64) {
            self.seed = seed
            dice = SeededRandom(seed: seed)
            original = Int.random(in: 0..<3, using: &dice)
            between = Bool.random(using: &dice) ? Int.random(in: 0..<3, using: &dice) : nil
            last = Int.random(in: 0..<3, using: &dice)
        }

        var description: String {
            "seed \(seed): \([original, between, last].compactMap { $0 })"
        }

        /// Creates the session. Its client requests a refresh, disconnects, and may resume and
        /// disconnect again. Returns the last `welcome`.
        func begin(
            in fixture: HostFixture, received: [String] = [], afterRefresh: () -> Void
        ) -> JSONValue {
            let first = fixture.connect(to: original)
            let welcome = first.open()
            first.send(#"{"type":"refresh","view":"list","seq":2}"#)
            afterRefresh()
            first.hangUp()
            guard let between else { return welcome }
            let second = fixture.connect(to: between)
            defer { second.hangUp() }
            return second.resume(welcome, received: received)[0]
        }

        /// Runs some jobs of some loops. The jobs of each loop run in order.
        mutating func runSome(of fixture: HostFixture) {
            for _ in 0..<Int.random(in: 0..<6, using: &dice) {
                fixture.loops[Int.random(in: 0..<3, using: &dice)].runOne(at: fixture.now)
            }
        }

        /// Runs all jobs of all loops. The jobs of each loop run in order.
        mutating func runAll(of fixture: HostFixture) {
            while let loop = fixture.loops.filter({ !$0.isIdle }).randomElement(using: &dice) {
                loop.runOne(at: fixture.now)
            }
        }
    }

    private static let seeds: ClosedRange<UInt64> = 1...150

    @Test("A session receives the answer to its load at any moment of its move")
    func answer() {
        for seed in Self.seeds {
            var way = Way(seed: seed)
            let fixture = HostFixture(loops: 3)
            let welcome = way.begin(in: fixture) {}
            let second = fixture.connect(to: way.last)
            let hello = #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#
            guard let (ticket, _) = fixture.dispatcher.started.last else {
                Issue.record("\(way): no load has begun")
                return
            }
            // In some runs, the answer arrives before the client resumes. Then the job for the
            // answer may be queued before the job for the session.
            let isEarly = Bool.random(using: &way.dice)
            if isEarly { fixture.report(.ended(.page(HostFixture.page(3))), of: ticket) }
            way.runSome(of: fixture)
            second.feed(hello)
            way.runSome(of: fixture)
            if !isEarly { fixture.report(.ended(.page(HostFixture.page(3))), of: ticket) }
            way.runAll(of: fixture)
            #expect(second.receive().all("items").count == 1, "\(way)")
            #expect(
                fixture.total.lateAnswersWithoutSession == 0 && fixture.total.lateAnswers == 0,
                "\(way)")
        }
    }

    @Test("A session receives a change of its feed at any moment of its move")
    func change() {
        for seed in Self.seeds {
            var way = Way(seed: seed)
            let fixture = HostFixture(loops: 3)
            let welcome = way.begin(in: fixture, received: ["1.1"]) { fixture.answerLast() }
            let second = fixture.connect(to: way.last)
            let resume = HostClient.resumeMember(welcome, received: ["1.1"])
            let isEarly = Bool.random(using: &way.dice)
            if isEarly { fixture.directory.feedChanged(FeedChange("songs")) }
            way.runSome(of: fixture)
            second.feed(#"{"type":"hello","protocol":1,\#(resume)}"#)
            way.runSome(of: fixture)
            if !isEarly { fixture.directory.feedChanged(FeedChange("songs")) }
            way.runAll(of: fixture)
            let received = second.receive()
            #expect(received.first("welcome")?["resumed"]?.bool == true, "\(way)")
            #expect(received.contains { $0["newer"]?.bool == true }, "\(way): \(received.types)")
        }
    }

    @Test("A change that was reported on all loops before the move is not reported again")
    func receivedBefore() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        fixture.answerLast()
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        #expect(first.receive().contains { $0["newer"]?.bool == true })
        // The refresh includes the change, so only later changes are reported.
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast()
        first.hangUp()
        let received = fixture.connect(to: 1).resume(welcome, received: ["1.2"])
        #expect(received.first("welcome")?["resumed"]?.bool == true)
        #expect(!received.contains { $0["newer"]?.bool == true })
    }
}
