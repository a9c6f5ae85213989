import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The answers of owners are cached by the node that has asked. An owner is the node of a cluster
/// that performs a request for all nodes.
@Suite("The broker's machine: cached answers of another node")
struct OwnerPageTests {
    private let request = LoadRequest.page(1, kind: .refresh)
    private let following = LoadRequest.page(2)

    private func policy(
        lifetimeMs: Int = 10_000, staleMs: Int = 0, failureMs: Int = 0, coolDownMs: Int = 0
    ) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: lifetimeMs, staleMs: staleMs, failureMs: failureMs)
        policy.coolDownMs = coolDownMs
        return policy
    }

    @Test("A page of the owner is cached for its remaining lifetime")
    func lifetime() {
        var harness = BrokerHarness.cluster(policy())
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.ownerPage(1, 2, freshMs: 30))
        harness.advance(to: .ms(29))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100))) == [.end(2, as: .page(.of(2)))]
        )
        harness.advance(to: .ms(30))
        #expect(harness.send(.requested(request, 3, deadline: .ms(100))) == [.ask(2, request)])
    }

    @Test("A page without a remaining lifetime is not cached, and replaces an earlier page")
    func noLifetime() {
        var harness = BrokerHarness.cluster(policy(coolDownMs: 50))
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.ownerPage(1, freshMs: 30))
        harness.send(.requested(request, 2, deadline: .ms(100), keptPages: .none))
        harness.send(.ownerPage(2))
        #expect(harness.machine.cache.count == 0)
        #expect(harness.send(.requested(request, 3, deadline: .ms(100))) == [.ask(3, request)])
    }

    @Test("The cool-down of an owner's page lasts at most as long as the policy states")
    func coolDown() {
        for (coolDownMs, lastsMs) in [(20, 20.0), (5000, 50.0)] {
            var harness = BrokerHarness.cluster(policy(coolDownMs: 50))
            harness.send(.requested(request, 1, deadline: .ms(100)))
            harness.send(.ownerPage(1, coolDownMs: coolDownMs))
            harness.advance(to: .ms(lastsMs - 1))
            let pull = BrokerHarness.Machine.Event.requested(
                request, 2, deadline: .ms(200), keptPages: .none)
            #expect(harness.send(pull) == [.end(2, as: .page(.of(1)))])
            harness.advance(to: .ms(lastsMs))
            #expect(
                harness.send(.requested(request, 3, deadline: .ms(200), keptPages: .none))
                    == [.ask(2, request, keptPages: .none, deadline: .ms(200))])
        }
    }

    @Test("A page of the owner is cached if it has at most 65,536 bytes")
    func size() {
        for (bytes, isCached) in [(65_536, true), (65_537, false)] {
            var harness = BrokerHarness.cluster(policy())
            harness.send(.requested(request, 1, deadline: .ms(100)))
            let text = String(repeating: "x", count: bytes - 4)
            let page = Page(items: Array("[\"\(text)\"]".utf8), count: 1)
            let lifetime = RemainingLifetime(freshMs: 1000, coolDownMs: 0)
            #expect(
                harness.send(.owner(.page(page, lifetime), 1)) == [.end(1, as: .page(page))])
            #expect((harness.machine.cache.count == 1) == isCached)
        }
    }

    @Test("The age of an owner's page includes its time in the owner's cache")
    func age() {
        var harness = BrokerHarness.cluster(policy())
        harness.send(.requested(request, 1, deadline: .ms(100)))
        let lifetime = RemainingLifetime(freshMs: 1000, coolDownMs: 0, ageMs: 70)
        harness.send(.owner(.page(.of(1), lifetime), 1))
        harness.advance(to: .ms(5))
        let found = FoundPage(page: .of(1), ageMs: 75, isFresh: true)
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100), isLookUp: true))
                == [.deliver([2], .lookUpEnded(found))])
    }

    @Test("A failure of the owner is cached as the policy states")
    func failure() {
        var harness = BrokerHarness.cluster(policy(failureMs: 20))
        let failure = LoadFailure(.backendFailed, "no")
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.owner(.failed(failure), 1))
        harness.advance(to: .ms(19))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100)))
                == [.end(2, as: .failed(failure))])
        harness.advance(to: .ms(20))
        #expect(harness.send(.requested(request, 3, deadline: .ms(100))) == [.ask(2, request)])
    }

    @Test("A background load that replaces a stale page asks the owner for a fresh page")
    func revalidation() {
        var harness = BrokerHarness.cluster(policy(staleMs: 5000))
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.ownerPage(1, freshMs: 10))
        harness.advance(to: .ms(50))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100)))
                == [
                    .end(2, as: .page(.of(1))),
                    .ask(2, request, keptPages: .fresh, deadline: .ms(1050)),
                ])
        // Half of the time until `loadDeadlineMs`.
        #expect(harness.machine.nextDeadline == .ms(550))
        harness.send(.ownerPage(2, 2, freshMs: 100))
        #expect(harness.machine.isEmpty)
        #expect(
            harness.send(.requested(request, 3, deadline: .ms(100))) == [.end(3, as: .page(.of(2)))]
        )
    }

    @Test("If the owner does not replace a stale page, this node calls the backend for it")
    func revalidationItself() {
        var harness = BrokerHarness.cluster(policy(staleMs: 5000))
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.ownerPage(1, freshMs: 10))
        harness.advance(to: .ms(50))
        harness.send(.requested(request, 2, deadline: .ms(100)))
        #expect(
            harness.pass(to: .ms(550)) == [.withdraw(2), .call(3, request, deadline: .ms(1050))])
        harness.send(.succeeded(3))
        #expect(harness.machine.isEmpty)
    }

    @Test("After a feed change, a load does not join an earlier ask, whose page is not cached")
    func overtaken() {
        var harness = BrokerHarness.cluster(policy())
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))) == [.ask(2, request)])
        harness.send(.ownerPage(2, 2, freshMs: 1000))
        #expect(harness.send(.ownerPage(1, 1, freshMs: 1000)) == [.end(1, as: .page(.of(1)))])
        #expect(
            harness.send(.requested(request, 3, deadline: .ms(100))) == [.end(3, as: .page(.of(2)))]
        )
        // The change ends the lifetime of the pages that were asked for before it.
        harness.send(.feedChanged("list"))
        #expect(harness.send(.requested(request, 4, deadline: .ms(100))) == [.ask(3, request)])
    }

    @Test("A first page of the owner begins a list: the following pages are requested again")
    func replacedList() {
        var harness = BrokerHarness.cluster(policy())
        harness.send(.requested(following, 1, deadline: .ms(100)))
        harness.send(.ownerPage(1, freshMs: 1000))
        harness.send(.requested(.page(3), 2, deadline: .ms(100)))
        harness.send(.requested(request, 3, deadline: .ms(100)))
        harness.send(.ownerPage(3, freshMs: 1000))
        #expect(harness.send(.requested(following, 4, deadline: .ms(100))) == [.ask(4, following)])
        // The third page was asked for before the new first page arrived, so it is not cached.
        harness.send(.ownerPage(2, freshMs: 1000))
        #expect(harness.send(.requested(.page(3), 5, deadline: .ms(100))) == [.ask(5, .page(3))])
    }
}
