import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshServer
@testable import RefreshSession

@Suite("Loads between sessions and the broker")
struct BrokeredLoadsTests {
    /// Reports the remaining time of each call, and answers no call.
    private struct HangingBackend: Backend {
        let calls: AsyncStream<Int>.Continuation

        func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
            calls.yield(call.remainingMs)
            do { try await Task.sleep(for: .seconds(60)) } catch {}
            throw LoadFailure(.backendFailed, "It was cancelled.")
        }
    }

    @Test(
        "A backend receives a load's own deadline, and a load's timeout is no backend failure",
        .limit)
    func deadline() async {
        let (calls, called) = AsyncStream.makeStream(of: Int.self)
        let (outcomes, continuation) = AsyncStream.makeStream(of: LoadOutcome.self)
        var policy = BackendPolicy()
        policy.breaker.failures = 1
        let plan = BrokerPlan(
            feeds: ["a": BrokerPlan.Feed(HangingBackend(calls: called), group: "shop")],
            backends: ["shop": policy])
        let broker = Broker<LoadTicket>(plan: plan, seed: 1, itemHash: SipHash(key: 1, 2)) {
            if case .ended(let outcome) = $1 { continuation.yield(outcome) }
        }
        let loads = BrokeredLoads(broker: broker, directory: LoopDirectory())
        let ticket = LoadTicket(
            session: SessionKey(loop: 0, slot: 0, generation: 1), view: "list",
            load: LoadID(generation: 1, number: 1))
        let request = LoadRequest(feed: "a", kind: .refresh, page: 1, offset: 0, size: 1)
        loads.start(ticket, BrokerRequest(request, idempotencyKey: "k"), deadlineMs: 20_000)
        var call = calls.makeAsyncIterator()
        let remainingMs = await call.next() ?? 0
        #expect((1...20_000).contains(remainingMs))

        loads.cancel(ticket, because: .outOfTime)
        var outcome = outcomes.makeAsyncIterator()
        #expect(await outcome.next() == .timedOut)
        broker.stop()
        #expect(broker.counters.feeds["a"]?.ended == [.timedOut: 1])
        // The timeout does not count as a failure of the backend.
        #expect(broker.counters.backends["shop"]?.breaker == .closed)
    }
}
