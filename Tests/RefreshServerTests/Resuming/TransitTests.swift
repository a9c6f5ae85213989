import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Loops take their jobs in any order that queues permit, and the session goes between any of them,
/// also from a place of a loop to another of the same: what comes meanwhile finds it.
@Suite("A session on its way")
struct TransitTests {
    /// A session of one of three loops, whose client has been elsewhere in between, or has not, and
    /// comes back now.
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

        /// The session is where its client was last, which has hung up after a refresh, and what
        /// became of that; its last `welcome`.
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

        /// Some jobs of some loops, each loop's in their order.
        mutating func runSome(of world: HostWorld) {
            for _ in 0..<Int.random(in: 0..<6, using: &dice) {
                world.loops[Int.random(in: 0..<3, using: &dice)].runOne(at: world.now)
            }
        }

        /// All jobs of all loops, each loop's in their order.
        mutating func runAll(of world: HostWorld) {
            while let loop = world.loops.filter({ !$0.isIdle }).randomElement(using: &dice) {
                loop.runOne(at: world.now)
            }
        }
    }

    private static let seeds: ClosedRange<UInt64> = 1...150

    @Test("gets the answer of its load, whenever that comes")
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
            // Some before the client asks, for they may stand in a queue before its session.
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

    @Test("hears of a change of its feed, whenever that comes")
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

    @Test("of a change that was told everywhere before it left nobody is told again")
    func toldBefore() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        world.answerLast()
        world.directory.feedChanged("songs")
        world.settle()
        #expect(first.take().contains { $0["newer"]?.bool == true })
        // A new list knows of it: only what changes after it is told again.
        first.say(#"{"type":"refresh","view":"list","seq":3}"#)
        world.answerLast()
        first.hangUp()
        let told = world.connect(to: 1).comeBack(welcome, received: ["1.2"])
        #expect(told.first("welcome")?["resumed"]?.bool == true)
        #expect(!told.contains { $0["newer"]?.bool == true })
    }
}
