import BrokerBench
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// A backend that counts its stops.
private final class EndingBackend: Backend {
    let script = ScriptedBackend()
    private let stops = Atomic<Int>(0)

    var stopCount: Int { stops.load(ordering: .sequentiallyConsistent) }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        #expect(stopCount == 0, "the backend was called after its stop")
        return try await script.load(call)
    }

    func stop() {
        #expect(script.runningCount == 0, "the backend was stopped while a call ran")
        stops.add(1, ordering: .sequentiallyConsistent)
    }
}

/// The plan is the configuration of the broker: the feeds, their backends and their policies.
@Suite("Plan changes while loads are running")
struct PlanChangeTests {
    private let log = OutcomeLog()

    private func plan(_ feeds: [String: any Backend], calls: Int = 64) -> BrokerPlan {
        var policy = BackendPolicy()
        policy.calls = calls
        return BrokerPlan(
            feeds: feeds.mapValues { BrokerPlan.Feed($0, group: "g") }, backends: ["g": policy])
    }

    private func broker(_ plan: BrokerPlan) -> Broker<Int> {
        Broker(plan: plan, seed: 1, itemHash: SipHash(key: 1, 2), deliver: log.deliver)
    }

    @Test("If a backend is replaced, running loads keep the old one, and new loads use the new one")
    func remade() async {
        let (old, new) = (EndingBackend(), EndingBackend())
        let broker = broker(plan(["list": old]))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { old.script.runningCount == 1 }
        broker.apply(plan(["list": new]))
        broker.start(.page(1), for: 2, deadlineMs: 120_000)
        await eventually("the new backend is called") { new.script.runningCount == 1 }
        #expect(old.stopCount == 0)
        old.script.answer(.page(1), .success(.of(1)))
        await eventually("the first answer is delivered") { log.all[1] == .page(.of(1)) }
        await eventually("the old backend is stopped") { old.stopCount == 1 }
        new.script.answer(.page(1), .success(.of(2)))
        await eventually("the second answer is delivered") { log.all[2] == .page(.of(2)) }
        #expect(broker.counters.feeds["list"]?.started == 2)
        broker.stop()
        #expect(new.stopCount == 1)
        #expect(old.stopCount == 1)
    }

    @Test("When a feed is removed, its queued loads and all later loads fail")
    func removed() async {
        let (kept, removed) = (EndingBackend(), EndingBackend())
        let broker = broker(plan(["kept": kept, "list": removed], calls: 1))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        broker.start(.page(2), for: 2, deadlineMs: 120_000)
        await eventually("one load is called, and one waits") { broker.counters.waiters == 2 }
        await eventually("the call begins") { removed.script.runningCount == 1 }
        broker.apply(plan(["kept": kept], calls: 1))
        removed.script.answer(.page(1), .success(.of(1)))
        await eventually("both have ended") { log.all.count == 2 }
        #expect(log.all[1] == .page(.of(1)))
        let failure = LoadFailure(.backendRejected, "There is no such feed.")
        #expect(log.all[2] == .failed(failure))
        await eventually("the backend is stopped") { removed.stopCount == 1 }
        broker.start(.page(1), for: 3, deadlineMs: 120_000)
        await eventually("a later load fails") { log.all[3] == .failed(failure) }
        #expect(kept.stopCount == 0)
        broker.stop()
        #expect(kept.stopCount == 1)
    }

    @Test("If the limit of concurrent calls rises, queued loads start at once")
    func higherLimit() async {
        let backend = EndingBackend()
        let broker = broker(plan(["list": backend], calls: 1))
        for page in 1...3 { broker.start(.page(page), for: page, deadlineMs: 120_000) }
        await eventually("one load is called") { backend.script.runningCount == 1 }
        await eventually("two loads wait") { broker.counters.backends["g"]?.queued == 2 }
        broker.apply(plan(["list": backend], calls: 3))
        await eventually("all loads are called") { backend.script.runningCount == 3 }
        #expect(backend.stopCount == 0)
        for page in 1...3 { backend.script.answer(.page(page), .success(.of(page))) }
        await eventually("all loads are answered") { log.all.count == 3 }
        broker.stop()
    }

    @Test(
        "An idle backend is stopped when its feed is removed, and a new backend serves a new feed"
    )
    func idle() async {
        let (old, new) = (EndingBackend(), EndingBackend())
        let broker = broker(plan(["list": old]))
        broker.apply(plan([:]))
        await eventually("the backend is stopped") { old.stopCount == 1 }
        broker.apply(plan(["list": new]))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the call begins") { new.script.runningCount == 1 }
        new.script.answer(.page(1), .success(.of(1)))
        await eventually("the load is answered") { log.all[1] == .page(.of(1)) }
        broker.stop()
    }

    @Test("After a feed's backend was replaced, the feed's cached answers are not used")
    func cache() {
        var policy = FeedPolicy()
        policy.cache = FeedPolicy.Cache(lifetimeMs: 60_000, staleMs: 60_000)
        let rules = BrokerRules(
            feeds: [
                "list": .init(group: "g", policy: policy),
                "other": .init(group: "g", policy: policy),
            ])
        var machine = LoadBroker<Int>(rules, seed: 1)
        var effects: [LoadBroker<Int>.Effect] = []
        func request(_ feed: String) -> BrokerRequest {
            var request = LoadRequest.page(1)
            request.feed = feed
            return BrokerRequest(request, idempotencyKey: "k", keptPages: .any)
        }
        for (call, feed) in ["list", "other"].enumerated() {
            machine.handle(
                .started(request(feed), call, deadline: .ms(100)), at: .ms(0), into: &effects)
            machine.handle(
                .answered(CallID(UInt64(call + 1)), .success(.of(1))), at: .ms(1), into: &effects)
        }
        machine.handle(.rulesChanged(rules, remade: ["list"]), at: .ms(2), into: &effects)
        effects.removeAll()
        for (waiter, feed) in ["list", "other"].enumerated() {
            machine.handle(
                .started(request(feed), 10 + waiter, deadline: .ms(100)), at: .ms(3), into: &effects
            )
        }
        let calls = effects.filter { if case .call = $0 { true } else { false } }
        #expect(calls.count == 1)
        #expect(effects.contains(.deliver([11], .ended(.page(.of(1))))))
        #expect(machine.counters.cacheEntries == 1)
    }

    @Test("A changed breaker policy closes the breaker and keeps the counters")
    func breaker() {
        var policy = BackendPolicy()
        policy.breaker.failures = 1
        var group = BackendGroup(name: "g", policy)
        group.gate.recordCallStart()
        group.breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(0))
        #expect(group.tally.breaker == .open)
        var same = policy
        same.calls = 2
        group.apply(same)
        #expect(group.tally.breaker == .open)
        #expect(group.gate.callsMax == 2)
        var other = same
        other.breaker.failures = 5
        group.apply(other)
        #expect(group.tally.breaker == .closed)
        #expect(group.tally.timesOpened == 1)
        #expect(group.gate.running == 1)
    }
}
