import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("The broker's machine: loads during a feed change")
struct OvertakenLoadTests {
    private let request = LoadRequest.page(1, kind: .refresh)

    private func policy(lifetimeMs: Int = 10_000, failureMs: Int = 0) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: lifetimeMs, staleMs: 5000, failureMs: failureMs)
        return policy
    }

    @Test("A load after a feed change does not join a call from before it")
    func newCall() {
        var world = BrokerWorld()
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        #expect(world.send(.asked(request, 2, deadline: .ms(100))) == [.call(2, request)])
        #expect(world.send(.asked(request, 3, deadline: .ms(100))).isEmpty)
        #expect(world.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        // After the end of the outdated load, waiters can still join the new load.
        #expect(world.send(.asked(request, 4, deadline: .ms(100))).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, 3, 4, as: .page(.of(2)))])
        #expect(world.machine.isEmpty)
    }

    @Test("When the last waiter of an outdated call leaves, the newer call continues")
    func leaving() {
        var world = BrokerWorld()
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        world.send(.asked(request, 2, deadline: .ms(100)))
        #expect(world.send(.waiterCancelled(1)) == [.end(1, as: .cancelled), .abort(CallID(1))])
        #expect(world.machine.phase(of: request) == .calling(CallID(2)))
        #expect(world.send(.asked(request, 3, deadline: .ms(100))).isEmpty)
        world.send(.succeeded(2, 2))
        #expect(world.outcomes[3] == .page(.of(2)))
    }

    @Test("A change of another feed, or before the call starts, does not make a load outdated")
    func notOvertaken() {
        var backend = BackendPolicy()
        backend.calls = 1
        var world = BrokerWorld(FeedPolicy(), backend)
        world.send(.asked(.page(9), 1, deadline: .ms(100)))
        world.send(.feedChanged("other"))
        #expect(world.send(.asked(.page(9), 2, deadline: .ms(100))).isEmpty)
        world.send(.asked(request, 3, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        // The load's call has not started, so its answer will be new enough.
        #expect(world.send(.asked(request, 4, deadline: .ms(100))).isEmpty)
        #expect(
            world.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1))), .call(2, request)])
        #expect(world.send(.succeeded(2, 2)) == [.end(3, 4, as: .page(.of(2)))])
    }

    @Test("An outdated answer that arrives last does not replace the newer cached answer")
    func keptOrder() {
        var world = BrokerWorld(policy())
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        world.send(.asked(request, 2, deadline: .ms(100)))
        world.send(.succeeded(2, 2))
        #expect(world.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(
            world.send(.asked(request, 3, deadline: .ms(100))) == [.end(3, as: .page(.of(2)))])
    }

    @Test("The failure of an outdated load reaches its waiters, but is not cached")
    func keptFailure() {
        var world = BrokerWorld(policy(failureMs: 1000))
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        let failure = LoadFailure(.backendRejected, "no")
        #expect(
            world.send(.failed(1, .backendRejected)) == [.end(1, as: .failed(failure))])
        #expect(world.send(.asked(request, 2, deadline: .ms(100))) == [.call(2, request)])
    }

    @Test("An outdated load is retried for its waiters")
    func retried() {
        var backend = BackendPolicy()
        backend.retry.attempts = 2
        backend.retry.baseMs = 1
        backend.retry.capMs = 1
        var world = BrokerWorld(FeedPolicy(), backend)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        world.send(.asked(request, 2, deadline: .ms(100)))
        world.send(.failed(1, .backendFailed))
        world.pass(to: .ms(1))
        #expect(world.running[CallID(3)]?.attempt == 2)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, as: .page(.of(2)))])
        #expect(world.send(.succeeded(3, 3)) == [.end(1, as: .page(.of(3)))])
        #expect(world.machine.isEmpty)
    }
}
