import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The owner of a request performs it for all nodes of a cluster. A remote request is a request of
/// another node.
@Suite("The broker's machine: loads for other nodes")
struct RemoteRequestTests {
    private let request = LoadRequest.page(1, kind: .refresh)

    private func policy(coolDownMs: Int = 0) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 100, staleMs: 1000)
        policy.coolDownMs = coolDownMs
        return policy
    }

    @Test("A remote request causes a call, even if this node regards another node as the owner")
    func notForwarded() {
        var harness = BrokerHarness.cluster(policy())
        #expect(harness.send(.remote(request, 1, deadline: .ms(100))) == [.call(1, request)])
        // A session of this node joins the call.
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1)))])
        // The revalidation for a remote request is a call too.
        harness.advance(to: .ms(200))
        #expect(
            harness.send(.remote(request, 3, deadline: .ms(300)))
                == [.end(3, as: .page(.of(1))), .call(2, request, deadline: .ms(1200))])
        #expect(harness.machine.counters.feeds["list"]?.remote == 2)
        #expect(harness.askTally.started == 0)
    }

    @Test("A remote request never waits for a third node: this node performs the load instead")
    func contended() {
        var harness = BrokerHarness.cluster(policy())
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(
            harness.send(.remote(request, 2, deadline: .ms(100)))
                == [.withdraw(1), .call(2, request)])
        #expect(harness.askTally.ended == [.contended: 1])
        #expect(harness.send(.ownerPage(1)).isEmpty)
        #expect(harness.send(.succeeded(2, 3)) == [.end(1, 2, as: .page(.of(3)))])
        #expect(harness.machine.isEmpty)
    }

    @Test("A remote pull joins a running call and is not answered from the cache after it")
    func pull() {
        var harness = BrokerHarness.cluster(policy(), owner: .own)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(harness.send(.remote(request, 2, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(harness.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1)))])
        #expect(
            harness.send(.remote(request, 3, deadline: .ms(100), keptPages: .none))
                == [.call(2, request)])
        #expect(
            harness.send(.remote(request, 4, deadline: .ms(100)))
                == [.end(4, as: .page(.of(1)))])
    }

    @Test("The remaining lifetime of a page shrinks, ends with a change, and needs the same page")
    func remainingLifetime() {
        var harness = BrokerHarness.cluster(policy(coolDownMs: 30), owner: .own)
        func remaining(_ count: Int = 1) -> RemainingLifetime {
            harness.machine.remainingLifetime(of: .of(count), for: request, at: harness.now)
        }
        #expect(remaining() == .over)
        harness.send(.remote(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1))
        #expect(remaining() == RemainingLifetime(freshMs: 100, coolDownMs: 30))
        #expect(remaining(2) == .over)
        harness.advance(to: .ms(40))
        #expect(remaining() == RemainingLifetime(freshMs: 60, coolDownMs: 0, ageMs: 40))
        harness.send(.feedChanged("list"))
        #expect(remaining() == RemainingLifetime(freshMs: 0, coolDownMs: 0, ageMs: 40))
        var unknown = request
        unknown.feed = "nosuch"
        #expect(harness.machine.remainingLifetime(of: .of(1), for: unknown, at: .ms(40)) == .over)
    }

    @Test("A remote request ends as cancelled when the daemon stops, and later ones do too")
    func stopped() {
        var harness = BrokerHarness.cluster(policy(), owner: .own)
        harness.send(.remote(request, 1, deadline: .ms(100)))
        harness.send(.stopped)
        #expect(harness.outcomes[1] == .cancelled)
        #expect(
            harness.send(.remote(request, 2, deadline: .ms(100))) == [.end(2, as: .cancelled)])
    }
}
