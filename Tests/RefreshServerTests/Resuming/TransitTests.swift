import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Loops run their jobs in any order that their queues allow. The session moves between the loops,
/// or within one loop, and every result that arrives in the meantime must reach it.
@Suite("A session in transit")
struct TransitTests {
    /// A session on one of three loops. Its client may have resumed on other loops before, and
    /// resumes now.
    private struct Way: CustomStringConvertible {
        let seed: UInt64
        var dice: SeededRandom
        let born: Int
        let between: Int?
        let last: Int

        init(seed: UInt64) {
            self.seed = seed
            dice = SeededRandom(seed: seed)
            born = Int.random(in: 0..<3, using: &dice)
            between = Bool.random(using: &dice) ? Int.random(in: 0..<3, using: &dice) : nil
            last = Int.random(in: 0..<3, using: &dice)
        }

        var description: String {
            "seed \(seed): \([born, between, last].compactMap { $0 })"
        }

        /// Creates the session. The client has disconnected after a refresh. Returns the last
        /// `welcome`.
        func begin(
            in world: HostWorld, received: [String] = [], afterRefresh: () -> Void
        ) -> JSONValue {
            let first = world.connect(to: born)
            let welcome = first.open()
            first.say(#"{"type":"refresh","view":"list","seq":2}"#)
            afterRefresh()
            first.hangUp()
            guard let between else { return welcome }
            let second = world.connect(to: between)
            defer { second.hangUp() }
            return second.comeBack(welcome, received: received)[0]
        }

        /// Runs some jobs of some loops. The jobs of each loop run in order.
        mutating func runSome(of world: HostWorld) {
            for _ in 0..<Int.random(in: 0..<6, using: &dice) {
                world.loops[Int.random(in: 0..<3, using: &dice)].runOne(at: world.now)
            }
        }

        /// Runs all jobs of all loops. The jobs of each loop run in order.
        mutating func runAll(of world: HostWorld) {
            while let loop = world.loops.filter({ !$0.isIdle }).randomElement(using: &dice) {
                loop.runOne(at: world.now)
            }
        }
    }

    private static let seeds: ClosedRange<UInt64> = 1...150

    @Test("A session receives the answer of its load at any moment of its move")
    func answer() {
        for seed in Self.seeds {
            var way = Way(seed: seed)
            let world = HostWorld(loops: 3)
            let welcome = way.begin(in: world) {}
            let second = world.connect(to: way.last)
            let hello = #"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#
            guard let (ticket, _) = world.dispatcher.started.last else {
                Issue.record("\(way): no load")
                return
            }
            // Some answers arrive before the client resumes, because they may be queued before its
            // session.
            let isEarly = Bool.random(using: &way.dice)
            if isEarly { world.tell(.ended(.page(HostWorld.page(3))), of: ticket) }
            way.runSome(of: world)
            second.feed(hello)
            way.runSome(of: world)
            if !isEarly { world.tell(.ended(.page(HostWorld.page(3))), of: ticket) }
            way.runAll(of: world)
            #expect(second.take().all("items").count == 1, "\(way)")
            #expect(world.total.orphanedLoads == 0 && world.total.staleLoads == 0, "\(way)")
        }
    }

    @Test("A session receives a change of its feed at any moment of its move")
    func change() {
        for seed in Self.seeds {
            var way = Way(seed: seed)
            let world = HostWorld(loops: 3)
            let welcome = way.begin(in: world, received: ["1.1"]) { world.answerLast() }
            let second = world.connect(to: way.last)
            let resume = HostClient.resume(welcome, received: ["1.1"])
            let isEarly = Bool.random(using: &way.dice)
            if isEarly { world.directory.feedChanged("songs") }
            way.runSome(of: world)
            second.feed(#"{"type":"hello","protocol":1,\#(resume)}"#)
            way.runSome(of: world)
            if !isEarly { world.directory.feedChanged("songs") }
            way.runAll(of: world)
            let told = second.take()
            #expect(told.first("welcome")?["resumed"]?.bool == true, "\(way)")
            #expect(told.contains { $0["newer"]?.bool == true }, "\(way): \(told.types)")
        }
    }

    @Test("A change that was reported on all loops before the move is not reported again")
    func toldBefore() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        world.answerLast()
        world.directory.feedChanged("songs")
        world.settle()
        #expect(first.take().contains { $0["newer"]?.bool == true })
        // The refresh includes the change, so only later changes are reported.
        first.say(#"{"type":"refresh","view":"list","seq":3}"#)
        world.answerLast()
        first.hangUp()
        let told = world.connect(to: 1).comeBack(welcome, received: ["1.2"])
        #expect(told.first("welcome")?["resumed"]?.bool == true)
        #expect(!told.contains { $0["newer"]?.bool == true })
    }
}
