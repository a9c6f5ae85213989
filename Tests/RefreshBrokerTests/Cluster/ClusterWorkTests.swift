import BrokerBench
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// The work of the cluster on the broker's thread.
@Suite("The work of a cluster on the broker's thread", .limit)
struct ClusterWorkTests {
    /// Work that waits for `wake`, and ends when it is woken after `leave`.
    private final class Work: Sendable {
        struct State {
            var turns = 0
            var isLeaving = false
            var ends = 0
            /// The messages for the work that wait.
            var messages = 0
            /// Whether messages for the work always wait.
            var isFlooded = false
            /// What has happened on the broker's thread, in order.
            var log: [String] = []
        }

        let state = Mutex(State())
        let waiting = Mailbox<Void>()

        func leave() {
            state.withLock { $0.isLeaving = true }
            waiting.post(())
        }

        struct Turns: ClusterWork {
            let work: Work

            var wake: @Sendable () -> Void { { [work] in work.waiting.post(()) } }

            mutating func turn(until deadline: Instant?) -> Bool {
                _ = work.waiting.receive(until: deadline)
                return work.state.withLock { state in
                    state.turns += 1
                    state.log.append("turn")
                    return !state.isLeaving
                }
            }

            mutating func handleMessages() -> Bool {
                work.state.withLock { state in
                    let count = state.isFlooded ? 1 : state.messages
                    state.messages = 0
                    if state.isFlooded { work.waiting.post(()) }
                    state.log.append("\(count) messages")
                    return count > 0
                }
            }

            func clearWake() { _ = work.waiting.receive(until: .origin) }

            mutating func end() { work.state.withLock { $0.ends += 1 } }
        }
    }

    private let backend = ScriptedBackend()
    private let log = OutcomeLog()
    private let link = RecordingLink()
    private let work = Work()

    private func makeBroker() -> Broker<Int> {
        let feed = BrokerPlan.Feed(backend, group: "list", policy: FeedPolicy())
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: ["list": feed]), seed: 1, itemHash: SipHash(key: 1, 2),
            deliver: log.deliver)
        broker.connect(to: link) { [work] in Work.Turns(work: work) }
        return broker
    }

    @Test("Loads start, are answered and time out while the thread waits in the work")
    func loads() async {
        let broker = makeBroker()
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the backend is called") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the page is delivered") { log.all == [1: .page(.of(2))] }
        // Nothing wakes the thread at this deadline.
        broker.start(.page(2), for: 2, deadlineMs: 1)
        await eventually("the load times out") { log.all[2] != nil }
        #expect(log.all[2] == .timedOut)
        // A turn can handle several events.
        #expect(work.state.withLock { $0.turns > 0 })
        broker.stop()
    }

    @Test("What the broker has posted to the work is handled without a further turn")
    func messages() async {
        let broker = makeBroker()
        broker.enqueueBarrier { [work] in
            work.state.withLock { state in
                state.log.append("posted")
                state.messages = 1
            }
            work.waiting.post(())
        }
        let expected = ["posted", "1 messages", "0 messages"]
        await eventually("the work waits") {
            work.state.withLock { Array($0.log.suffix(3)) } == expected
        }
        broker.stop()
    }

    @Test("The work has its turns although messages for it always wait")
    func flood() async {
        let broker = makeBroker()
        work.state.withLock { $0.isFlooded = true }
        work.waiting.post(())
        await eventually("there are turns") { work.state.withLock { $0.turns > 3 } }
        work.state.withLock { $0.isFlooded = false }
        broker.stop()
    }

    @Test("After the work has ended, the broker performs its loads without it")
    func leaving() async {
        let broker = makeBroker()
        work.leave()
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the backend is called") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the page is delivered") { log.all == [1: .page(.of(2))] }
        broker.stop()
        #expect(work.state.withLock { $0.ends } == 0)
    }

    @Test("A broker that stops ends the work")
    func stopping() {
        let broker = makeBroker()
        broker.stop()
        #expect(work.state.withLock { $0.ends } == 1)
    }
}
