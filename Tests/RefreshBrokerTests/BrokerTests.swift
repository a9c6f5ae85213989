import BrokerBench
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// The broker with its thread. A waiter is a session's load that waits for an answer.
@Suite("The broker on its thread")
struct BrokerTests {
    private let backend = ScriptedBackend()
    private let log = OutcomeLog()

    private func makeBroker(
        _ backend: ScriptedBackend? = nil, loadsInFlightMax: Int = 10
    ) -> Broker<Int> {
        Broker(
            backends: ["list": backend ?? self.backend], loadsInFlightMax: loadsInFlightMax,
            deliver: log.deliver)
    }

    @Test("Three waiters for the same page share one call and receive one outcome each")
    func sharing() async {
        let broker = makeBroker()
        for waiter in 1...3 { broker.start(.page(1), for: waiter, deadlineMs: 120_000) }
        await eventually("the call begins") { backend.runningCount == 1 }
        await eventually("all three waiters wait") { broker.counters.waiters == 3 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("all waiters are answered") { log.all.count == 3 }
        #expect(Set(log.all.values) == [.page(.of(2))])
        #expect(backend.begun == [.page(1)])
        await eventually("the counters are updated") { broker.counters.callsInFlight == 0 }
        let tally = broker.counters.feeds["list"]
        #expect(tally?.started == 1)
        #expect(tally?.joined == 2)
        #expect(tally?.ended == [.success: 1])
        broker.stop()
    }

    @Test("A cached page is found on any thread as soon as a waiter has received it")
    func lookUp() async {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 3_600_000, staleMs: 3_600_000)
        policy.isShared = true
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: [
                "list": BrokerPlan.Feed(backend, group: "list", policy: policy)
            ]),
            seed: 1, itemHash: SipHash(key: 1, 2), deliver: log.deliver)
        let request = LoadRequest.page(1, kind: .refresh)
        #expect(broker.lookUp(request) == nil)
        broker.start(request, for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { backend.runningCount == 1 }
        backend.answer(request, .success(.of(2)))
        await eventually("the waiter is answered") { log.all.count == 1 }

        // The feed is shared, so the subject of the request does not matter.
        let found = broker.lookUp(.page(1, kind: .refresh, subject: "anna"))
        #expect(found?.page == .of(2) && found?.isFresh == true)
        #expect(broker.counters.feeds["list"]?.hits.fresh == 1)
        #expect(broker.lookUp(.page(2, kind: .refresh)) == nil)
        #expect(broker.lookUp(.page(1, feed: "unknown", kind: .refresh)) == nil)
        broker.reportFeedChange("list")
        await eventually("the change is applied") { broker.lookUp(request) == nil }
        broker.stop()
        #expect(broker.lookUp(request) == nil)
    }

    @Test("If the last waiter cancels, the backend's task is cancelled")
    func cancelling() async {
        let broker = makeBroker()
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        broker.start(.page(1), for: 2, deadlineMs: 120_000)
        await eventually("the call begins") { backend.runningCount == 1 }
        broker.cancel(1)
        await eventually("the first waiter receives its outcome") { log.all == [1: .cancelled] }
        #expect(backend.cancelledCount == 0)
        broker.cancel(2)
        await eventually("the call is cancelled") { backend.cancelledCount == 1 }
        await eventually("the call's end is counted as late") { broker.counters.lateAnswers == 1 }
        #expect(log.all == [1: .cancelled, 2: .cancelled])
        broker.stop()
    }

    @Test("A waiter whose deadline passes receives timedOut, and the call is cancelled")
    func deadline() async {
        let broker = makeBroker()
        broker.start(.page(1), for: 1, deadlineMs: 50)
        await eventually("the deadline passes") { log.all == [1: .timedOut] }
        // On a busy machine, the deadline may pass before the call begins. In this case, no call is
        // cancelled, because none begins.
        await eventually("the call is cancelled") {
            backend.cancelledCount == (broker.counters.feeds["list"]?.started ?? 0)
        }
        broker.stop()
    }

    @Test("If a backend answers a cancelled call, the answer is dropped and counted as late")
    func lateAnswer() async {
        let backend = ScriptedBackend(holdsOn: true)
        let broker = makeBroker(backend)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { backend.runningCount == 1 }
        broker.cancel(1)
        await eventually("the call is cancelled") { backend.cancelledCount == 1 }
        broker.start(.page(1), for: 2, deadlineMs: 120_000)
        await eventually("an equal request begins anew") { backend.runningCount == 2 }
        backend.answer(.page(1), .success(.of(1)))
        await eventually("the first answer is counted as late") { broker.counters.lateAnswers == 1 }
        #expect(log.all == [1: .cancelled])
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the second answer is delivered") { log.all[2] == .page(.of(2)) }
        broker.stop()
    }

    @Test("A load beyond loadsInFlightMax fails with backendBusy, and one of an unknown feed fails")
    func refusals() async {
        let broker = makeBroker(loadsInFlightMax: 1)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        broker.start(.page(2), for: 2, deadlineMs: 120_000)
        broker.start(.page(1, feed: "nosuch"), for: 3, deadlineMs: 120_000)
        await eventually("both failures are delivered") { log.all.count == 2 }
        guard case .failed(let busy) = log.all[2], case .failed(let unknown) = log.all[3] else {
            Issue.record("\(log.all)")
            return
        }
        #expect(busy.code == .backendBusy)
        #expect(unknown.code == .backendRejected)
        #expect(broker.counters.feeds["nosuch"] == nil)
        broker.stop()
    }

    @Test("Stop ends all loads as cancelled before it returns, and cancels loads that start later")
    func stopping() async {
        let broker = makeBroker()
        for waiter in 0..<50 { broker.start(.page(waiter % 7), for: waiter, deadlineMs: 120_000) }
        broker.stop()
        // Ten calls are allowed and seven are needed, so no load was refused.
        #expect(log.all.count == 50)
        #expect(Set(log.all.values) == [.cancelled])
        broker.start(.page(1), for: 99, deadlineMs: 120_000)
        #expect(log.all[99] == .cancelled)
        broker.cancel(99)
        broker.stop()
        await eventually("the backend's calls end") { backend.runningCount == 0 }
    }

    @Test("When a broker is released, its loads end as cancelled")
    func lettingGo() async {
        var broker: Broker<Int>? = makeBroker()
        broker?.start(.page(1), for: 1, deadlineMs: 120_000)
        broker = nil
        await eventually("the load ends") { log.all == [1: .cancelled] }
    }

    @Test("A stop that is called on the broker's own thread does not wait for the thread")
    func stopFromWithin() async {
        let log = log
        let own = Slot()
        let broker = Broker<Int>(backends: ["list": backend], loadsInFlightMax: 10) {
            waiters, event in
            own.broker.withLock(\.self)?.stop()
            log.deliver(waiters, event)
        }
        own.broker.withLock { $0 = broker }
        broker.start(.page(1), for: 1, deadlineMs: 10)
        broker.start(.page(2), for: 2, deadlineMs: 120_000)
        await eventually("both loads end") { log.all == [1: .timedOut, 2: .cancelled] }
        own.broker.withLock { $0 = nil }
    }

    @Test("Every backend is stopped once, after all outcomes, even a backend that two feeds share")
    func stopsBackends() async {
        let log = log
        let shared = StoppableBackend { log.all.count }
        let own = StoppableBackend { log.all.count }
        let broker = Broker<Int>(
            backends: ["a": shared, "b": shared, "c": own], loadsInFlightMax: 10,
            deliver: log.deliver)
        for (waiter, feed) in ["a", "b", "c"].enumerated() {
            broker.start(.page(1, feed: feed), for: waiter, deadlineMs: 120_000)
        }
        await eventually("all loads wait") { broker.counters.waiters == 3 }
        broker.stop()
        #expect(shared.outcomesAtStop == [3] && own.outcomesAtStop == [3])
        broker.stop()
        #expect(shared.outcomesAtStop == [3])
    }

    @Test("A backend that does not stop within the time limit is abandoned")
    func backendThatHangs() async {
        let gate = Mailbox<Void>()
        let quick = StoppableBackend { 0 }
        BackendStop.stop([HangingBackend(gate: gate), quick], timeLimitMs: 50)
        // `BackendStop.stop` has returned, although `HangingBackend` has not stopped.
        await eventually("the other backend has stopped") { quick.outcomesAtStop == [0] }
        gate.post(())
    }

    @Test("Progress reports are merged for the waiters, and none is delivered after a load ends")
    func progress() async {
        let events = Mutex<[LoadEvent]>([])
        let backend = ProgressBackend()
        let broker = Broker<Int>(
            backends: ["list": backend], loadsInFlightMax: 10
        ) { _, event in
            events.withLock { $0.append(event) }
            // The backend answers only after this, so its progress was delivered before the answer.
            backend.deliveries.continuation.yield()
        }
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the load ends") {
            events.withLock { $0.last } == .ended(.page(.of(1)))
        }
        backend.call.withLock(\.self)?.report(1)
        await eventually("the late report arrives") { broker.counters.lateProgress == 1 }
        broker.stop()
        // All thousand reports were made before the broker's thread read any, so only the last
        // report is left.
        #expect(events.withLock { $0 } == [.progressed(0.999), .ended(.page(.of(1)))])
    }

    @Test("If the feed has an item key, a page contains the keys of its items")
    func itemKeys() async throws {
        var policy = FeedPolicy()
        policy.itemKey = JSONPointer("/id")
        let feed = BrokerPlan.Feed(backend, group: "list", policy: policy)
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: ["list": feed]), seed: 1, itemHash: SipHash(key: 1, 2),
            deliver: log.deliver)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { backend.runningCount == 1 }
        let items = #"[{"id":1},{"id":2},{"x":0}]"#
        backend.answer(.page(1), .success(Page(items: Array(items.utf8), count: 3)))
        await eventually("the load ends") { log.all.count == 1 }
        guard case .page(let page) = log.all[1] else {
            Issue.record("\(log.all)")
            return
        }
        let keys = try #require(page.itemKeys)
        #expect(keys.elements == [1..<9, 10..<18, 19..<26])
        #expect(keys.hashes.map { $0 == nil } == [false, false, true])
        // The hashes were made with the broker's own secret key.
        let pointer = try #require(JSONPointer("/id"))
        #expect(keys == ItemKeys(of: page, at: pointer, hashedBy: SipHash(key: 1, 2)))
        #expect(keys != ItemKeys(of: page, at: pointer, hashedBy: SipHash(key: 1, 3)))
        broker.stop()
    }

    @Test("A stale answer is delivered at once while a background call replaces it")
    func revalidation() async {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 60_000, staleMs: 60_000)
        let feed = BrokerPlan.Feed(backend, group: "list", policy: policy)
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: ["list": feed]), seed: 1, itemHash: SipHash(key: 1, 2),
            deliver: log.deliver)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(1)))
        await eventually("the first load is answered") { log.all[1] == .page(.of(1)) }
        broker.reportFeedChange("list")
        broker.start(.page(1), for: 2, deadlineMs: 120_000)
        await eventually("the stale answer is delivered") { log.all[2] == .page(.of(1)) }
        await eventually("another call begins") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the call returns") { broker.counters.callsInFlight == 0 }
        broker.start(.page(1), for: 3, deadlineMs: 120_000)
        await eventually("the new answer is delivered") { log.all[3] == .page(.of(2)) }
        #expect(broker.counters.feeds["list"]?.hits.stale == 1)
        broker.stop()
    }

    @Test("If eight threads start and cancel 4,000 loads, each load has exactly one outcome")
    func manyThreads() async {
        let broker = Broker<Int>(
            backends: ["list": QuickBackend()], loadsInFlightMax: 16, deliver: log.deliver)
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(lane))
                    for number in 0..<500 {
                        let waiter = lane * 500 + number
                        let page = Int.random(in: 0..<5, using: &generator)
                        broker.start(.page(page), for: waiter, deadlineMs: 120_000)
                        if number % 3 == 0 { broker.cancel(waiter) }
                    }
                }
            }
        }
        await eventually("every waiter receives its outcome") { log.all.count == 4000 }
        broker.stop()
        #expect(broker.counters.waiters == 0)
    }
}

/// A reference by which `deliver` can reach its own broker.
private final class Slot: Sendable {
    let broker = Mutex<Broker<Int>?>(nil)
}

/// A backend that answers after 200 microseconds, or at once if it is cancelled.
private struct QuickBackend: Backend {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        do {
            try await Task.sleep(for: .microseconds(200))
        } catch {
            throw LoadFailure(.backendFailed, "cancelled")
        }
        return .of(call.request.page)
    }
}

/// A backend that records the number of delivered outcomes at its stop. Its calls end when they are
/// cancelled.
private final class StoppableBackend: Backend {
    private let outcomeCount: @Sendable () -> Int
    private let stops = Mutex<[Int]>([])

    init(outcomeCount: @escaping @Sendable () -> Int) { self.outcomeCount = outcomeCount }

    var outcomesAtStop: [Int] { stops.withLock { $0 } }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try? await Task.sleep(for: .seconds(120))
        throw LoadFailure(.backendFailed, "cancelled")
    }

    func stop() { stops.withLock { $0.append(outcomeCount()) } }
}

/// A backend whose `stop` returns when the test posts to `gate`.
private struct HangingBackend: Backend {
    let gate: Mailbox<Void>

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page { .of(1) }
    func stop() { _ = gate.receive(until: nil) }
}

/// A backend that reports a thousand progress values at once, and answers after one of them was
/// delivered.
private final class ProgressBackend: Backend {
    let deliveries = AsyncStream<Void>.makeStream()
    /// The call, so that the test can report progress after the answer.
    let call = Mutex<BackendCall?>(nil)

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        self.call.withLock { $0 = call }
        for step in 0..<1000 { call.report(Double(step) / 1000) }
        for await _ in deliveries.stream { break }
        return .of(1)
    }
}
