import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("The broker's machine: loads that a change overtakes")
struct OvertakenLoadTests {
    private let request = LoadRequest.page(1, kind: .refresh)

    private func policy(lifetimeMs: Int = 10_000, failureMs: Int = 0) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: lifetimeMs, staleMs: 5000, failureMs: failureMs)
        return policy
    }

    @Test("Who begins after a change joins no call from before it, and each gets his own answer")
    func newCall() {
        var world = BrokerWorld()
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        #expect(world.send(.asked(request, 2, deadline: .ms(100))) == [.call(2, request)])
        #expect(world.send(.asked(request, 3, deadline: .ms(100))).isEmpty)
        #expect(world.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        // The end of the overtaken load leaves the other one where others find it.
        #expect(world.send(.asked(request, 4, deadline: .ms(100))).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, 3, 4, as: .page(.of(2)))])
        #expect(world.machine.isEmpty)
    }

    @Test("An overtaken call whose last waiter leaves is aborted, and the newer one goes on")
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

    @Test("A change of another feed, and one while a load waits for its call, overtakes nothing")
    func notOvertaken() {
        var backend = BackendPolicy()
        backend.calls = 1
        var world = BrokerWorld(FeedPolicy(), backend)
        world.send(.asked(.page(9), 1, deadline: .ms(100)))
        world.send(.feedChanged("other"))
        #expect(world.send(.asked(.page(9), 2, deadline: .ms(100))).isEmpty)
        world.send(.asked(request, 3, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        // It is yet to call, so its answer will be new enough.
        #expect(world.send(.asked(request, 4, deadline: .ms(100))).isEmpty)
        #expect(
            world.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1))), .call(2, request)])
        #expect(world.send(.succeeded(2, 2)) == [.end(3, 4, as: .page(.of(2)))])
    }

    @Test("An overtaken answer that comes last does not replace the newer one that is kept")
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

    @Test("An overtaken failure is told to those who wait for it, and to nobody later")
    func keptFailure() {
        var world = BrokerWorld(policy(failureMs: 1000))
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.feedChanged("list"))
        let failure = LoadFailure(.backendRejected, "no")
        #expect(
            world.send(.failed(1, .backendRejected)) == [.end(1, as: .failed(failure))])
        #expect(world.send(.asked(request, 2, deadline: .ms(100))) == [.call(2, request)])
    }

    @Test("An overtaken load is tried again for those who wait for it")
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
