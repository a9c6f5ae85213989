import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("The broker's machine: cached answers")
struct CacheTests {
    private func policy(
        lifetimeMs: Int? = 100, staleMs: Int = 0, failureMs: Int = 0, coolDownMs: Int = 0,
        isShared: Bool = false
    ) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = lifetimeMs.map {
            .init(lifetimeMs: $0, staleMs: staleMs, failureMs: failureMs)
        }
        policy.coolDownMs = coolDownMs
        policy.isShared = isShared
        return policy
    }

    private let failure = LoadFailure(.backendFailed, "no")

    @Test("An answer is returned to equal requests only within its lifetime")
    func lifetime() {
        var world = BrokerWorld(policy())
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 3))
        world.advance(to: .ms(99))
        #expect(
            world.send(.asked(.page(1), 2, deadline: .ms(300))) == [.end(2, as: .page(.of(3)))])
        #expect(
            world.send(.asked(.page(2), 3, deadline: .ms(300))) == [
                .call(2, .page(2), deadline: .ms(300))
            ])
        world.advance(to: .ms(100))
        #expect(
            world.send(.asked(.page(1), 4, deadline: .ms(300))) == [
                .call(3, .page(1), deadline: .ms(300))
            ])
        #expect(world.machine.counters.feeds["list"]?.hits.fresh == 1)
    }

    @Test(
        "An answer's own lifetime overrides the policy, up to a day, and 0 disables caching",
        arguments: [(0, 0), (50, 50), (200, 200), (90_000_000, 86_400_000), (-5, 0)])
    func ownLifetime(said: Int, lasts: Int) {
        var world = BrokerWorld(policy())
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 3, lifetimeMs: said))
        let page = Page.of(3, lifetimeMs: said)
        if lasts > 0 {
            world.advance(to: .ms(Double(lasts) - 1))
            let effects = world.send(.asked(.page(1), 2, deadline: .never))
            #expect(effects == [.end(2, as: .page(page))])
        }
        world.advance(to: .ms(Double(lasts)))
        world.send(.asked(.page(1), 3, deadline: .never))
        #expect(world.running.count == 1)
    }

    @Test("A user's refresh does not accept a cached answer, but joins a running call")
    func explicit() {
        var world = BrokerWorld(policy(lifetimeMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1))
        let effects = world.send(.asked(request, 2, deadline: .ms(100), keptPages: .none))
        #expect(effects == [.call(2, request)])
        #expect(world.send(.asked(request, 3, deadline: .ms(100), keptPages: .none)).isEmpty)
        // An automatic refresh accepts the cached answer.
        #expect(
            world.send(.asked(request, 4, deadline: .ms(100))) == [.end(4, as: .page(.of(1)))])
        #expect(world.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
    }

    @Test("A stale answer is returned while one background call loads a new answer")
    func stale() {
        var world = BrokerWorld(policy(staleMs: 500))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(150))
        #expect(
            world.send(.asked(.page(1), 2, deadline: .ms(160))) == [
                .end(2, as: .page(.of(1))), .call(2, .page(1), deadline: .ms(1150)),
            ])
        // The background call has no waiters, but it is not aborted.
        #expect(world.machine.nextDeadline == .ms(1150))
        #expect(
            world.send(.asked(.page(1), 3, deadline: .ms(160))) == [.end(3, as: .page(.of(1)))])
        #expect(world.send(.succeeded(2, 2)).isEmpty)
        #expect(
            world.send(.asked(.page(1), 4, deadline: .ms(160))) == [.end(4, as: .page(.of(2)))])
        let tally = world.machine.counters.feeds["list"]
        #expect(tally?.revalidations == 1)
        #expect(tally?.hits.stale == 2)
        world.advance(to: .ms(150 + 600))
        world.send(.asked(.page(1), 5, deadline: .ms(2000)))
        #expect(world.outcomes[5] == nil, "what is too stale is not given")
    }

    @Test("If a background call fails, the stale answer stays in the cache")
    func staleFailure() {
        var world = BrokerWorld(policy(staleMs: 500, failureMs: 50))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(150))
        world.send(.asked(.page(1), 2, deadline: .ms(160)))
        #expect(world.send(.failed(2, .backendFailed)).isEmpty)
        // The failure is cached too, so no call starts for 50 ms.
        #expect(
            world.send(.asked(.page(1), 3, deadline: .ms(160))) == [.end(3, as: .page(.of(1)))])
        world.advance(to: .ms(200))
        let again = world.send(.asked(.page(1), 4, deadline: .ms(300)))
        #expect(
            again == [.end(4, as: .page(.of(1))), .call(3, .page(1), deadline: .ms(1200))])
    }

    @Test("A background call is aborted at its own deadline")
    func staleTimedOut() {
        var world = BrokerWorld(policy(staleMs: 5000))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(150))
        world.send(.asked(.page(1), 2, deadline: .ms(160)))
        #expect(world.pass(to: .ms(1150)) == [.abort(CallID(2))])
        #expect(world.machine.nextDeadline == nil)
        world.send(.failed(2, .backendFailed))
        #expect(world.machine.isEmpty)
        #expect(world.machine.counters.late == 1)
    }

    @Test("If a waiter joins a background call and leaves, the call continues")
    func joinBackground() {
        var world = BrokerWorld(policy(staleMs: 500))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(150))
        world.send(.asked(request, 2, deadline: .ms(160)))
        #expect(world.send(.asked(request, 3, deadline: .ms(400), keptPages: .none)).isEmpty)
        #expect(world.send(.waiterCancelled(3)) == [.end(3, as: .cancelled)])
        #expect(world.machine.isAwaited(CallID(2)) == true)
        #expect(world.send(.succeeded(2, 2)).isEmpty)
    }

    @Test("A cached failure is returned for failureMs, also to a user's refresh")
    func failures() {
        var world = BrokerWorld(policy(failureMs: 50))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.failed(1, .backendFailed))
        world.advance(to: .ms(49))
        #expect(
            world.send(.asked(request, 2, deadline: .ms(100))) == [.end(2, as: .failed(failure))])
        #expect(
            world.send(.asked(request, 3, deadline: .ms(100), keptPages: .none)) == [
                .end(3, as: .failed(failure))
            ])
        world.advance(to: .ms(50))
        #expect(world.send(.asked(request, 4, deadline: .ms(100))) == [.call(2, request)])
        #expect(world.machine.counters.feeds["list"]?.hits.failure == 2)
    }

    @Test(
        "In the cool-down, a user's refresh gets the last answer, even without a cache"
    )
    func coolDown() {
        var world = BrokerWorld(policy(lifetimeMs: nil, coolDownMs: 20))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1, lifetimeMs: 0))
        let page = Page.of(1, lifetimeMs: 0)
        world.advance(to: .ms(19))
        #expect(
            world.send(.asked(request, 2, deadline: .ms(100), keptPages: .none)) == [
                .end(2, as: .page(page))
            ])
        #expect(world.machine.counters.feeds["list"]?.hits.coolDown == 1)
        world.advance(to: .ms(20))
        let effects = world.send(.asked(request, 3, deadline: .ms(100), keptPages: .none))
        #expect(effects == [.call(2, request)])
        // The cool-down applies to refreshes only.
        world.send(.asked(.page(2), 4, deadline: .ms(100)))
        world.send(.succeeded(3, 1))
        #expect(world.send(.asked(.page(2), 5, deadline: .ms(100))) == [.call(4, .page(2))])
    }

    @Test("A feed change makes cached answers stale, and they are dropped after staleMs")
    func change() {
        var world = BrokerWorld(policy(lifetimeMs: 10_000, staleMs: 50, coolDownMs: 1000))
        let request = LoadRequest.page(1)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(10))
        world.send(.feedChanged("list"))
        #expect(
            world.send(.asked(request, 2, deadline: .ms(100))) == [
                .end(2, as: .page(.of(1))), .call(2, request, deadline: .ms(1010)),
            ])
        // A load that follows the change does not accept an answer that the change made stale.
        #expect(world.send(.asked(request, 3, deadline: .ms(100), keptPages: .fresh)).isEmpty)
        #expect(world.send(.asked(request, 5, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(3, 5, as: .page(.of(2)))])
        #expect(
            world.send(.asked(request, 6, deadline: .ms(100), keptPages: .fresh)) == [
                .end(6, as: .page(.of(2)))
            ])
        world.advance(to: .ms(20))
        world.send(.feedChanged("list"))
        world.advance(to: .ms(70))
        world.send(.asked(request, 4, deadline: .ms(100)))
        #expect(world.outcomes[4] == nil, "beyond staleMs it is gone")
    }

    @Test(
        "A refresh after a feed change gets no earlier answer, even if stale or in the cool-down"
    )
    func refreshAfterChange() {
        var world = BrokerWorld(policy(lifetimeMs: 10_000, staleMs: 5000, coolDownMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.send(.feedChanged("list"))
        #expect(world.send(.asked(request, 2, deadline: .ms(100))) == [.call(2, request)])
        #expect(world.send(.asked(request, 3, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
        #expect(
            world.send(.asked(request, 4, deadline: .ms(100))) == [.end(4, as: .page(.of(2)))])
    }

    @Test("A refresh because of a feed change starts exactly one call")
    func changedRefresh() {
        var world = BrokerWorld(policy(lifetimeMs: 10_000, staleMs: 10_000, coolDownMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        world.send(.asked(request, 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        world.advance(to: .ms(10))
        world.send(.feedChanged("list"))
        #expect(
            world.send(.asked(request, 2, deadline: .ms(100), keptPages: .fresh)) == [
                .call(2, request)
            ])
        #expect(world.send(.asked(request, 3, deadline: .ms(100), keptPages: .fresh)).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
        #expect(world.machine.counters.feeds["list"]?.revalidations == 0)
    }

    @Test("An answer to a call from before a feed change is delivered, but not cached")
    func changeInFlight() {
        var world = BrokerWorld(policy(lifetimeMs: 10_000, staleMs: 5000))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.advance(to: .ms(10))
        world.send(.feedChanged("list"))
        #expect(world.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(world.send(.asked(.page(1), 2, deadline: .ms(100))) == [.call(2, .page(1))])
    }

    @Test("A call that starts after a change in the same microsecond yields a fresh answer")
    func changeAtOnce() {
        var world = BrokerWorld(policy(lifetimeMs: 10_000))
        world.send(.feedChanged("list"))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.succeeded(1, 1))
        #expect(
            world.send(.asked(.page(1), 2, deadline: .ms(100))) == [.end(2, as: .page(.of(1)))])
    }

    @Test("A change drops cached failures, and the failures of running calls are not cached")
    func failureBeforeChange() {
        var world = BrokerWorld(policy(failureMs: 10_000))
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.asked(.page(2), 2, deadline: .ms(100)))
        world.send(.failed(1, .backendFailed))
        world.send(.feedChanged("list"))
        world.send(.failed(2, .backendFailed))
        #expect(world.send(.asked(.page(1), 3, deadline: .ms(100))) == [.call(3, .page(1))])
        #expect(world.send(.asked(.page(2), 4, deadline: .ms(100))) == [.call(4, .page(2))])
        // The failure of a call that began after the change is cached.
        world.send(.failed(3, .backendFailed))
        #expect(
            world.send(.asked(.page(1), 5, deadline: .ms(100))) == [.end(5, as: .failed(failure))])
    }

    @Test(
        "A newer first page drops the cached following pages of its list only",
        arguments: [nil, 0])
    func newerFirstPage(lifetimeMs: Int?) {
        var world = BrokerWorld(policy(lifetimeMs: 10_000))
        let refresh = LoadRequest.page(1, kind: .refresh)
        var german = LoadRequest.page(2)
        german.headers = [HeaderField(name: "accept-language", value: "de")]
        let others = [LoadRequest.page(2, subject: "ada"), german]
        for (waiter, request) in ([.page(2), .page(3)] + others).enumerated() {
            world.send(.asked(request, waiter, deadline: .ms(100)))
            world.send(.succeeded(UInt64(waiter) + 1, 2))
        }
        #expect(
            world.send(.asked(.page(2), 10, deadline: .ms(100))) == [.end(10, as: .page(.of(2)))])
        // A page that is being loaded also belongs to the older list.
        world.send(.asked(.page(4), 11, deadline: .ms(100)))
        world.send(.asked(refresh, 12, deadline: .ms(100), keptPages: .none))
        world.send(.succeeded(6, 1, lifetimeMs: lifetimeMs))
        #expect(world.machine.cache.count == (lifetimeMs == nil ? 3 : 2))
        #expect(world.send(.succeeded(5, 2)) == [.end(11, as: .page(.of(2)))])
        for (waiter, page) in zip(20..., 2...4) {
            #expect(
                world.send(.asked(.page(page), waiter, deadline: .ms(100))) == [
                    .call(UInt64(page) + 5, .page(page))
                ])
            world.send(.succeeded(UInt64(page) + 5, 2))
        }
        for (waiter, request) in zip(30..., [LoadRequest.page(4)] + others) {
            #expect(
                world.send(.asked(request, waiter, deadline: .ms(100))) == [
                    .end(waiter, as: .page(.of(2)))
                ])
        }
    }

    @Test("Two users share neither calls nor cached answers nor cool-downs")
    func subjects() {
        let all = policy(lifetimeMs: 1000, staleMs: 1000, failureMs: 1000, coolDownMs: 1000)
        var world = BrokerWorld(all)
        let ada = LoadRequest.page(1, kind: .refresh, subject: "ada")
        let bob = LoadRequest.page(1, kind: .refresh, subject: "bob")
        #expect(world.send(.asked(ada, 1, deadline: .ms(100))) == [.call(1, ada)])
        #expect(world.send(.asked(bob, 2, deadline: .ms(100))) == [.call(2, bob)])
        #expect(world.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(world.send(.failed(2, .backendFailed)) == [.end(2, as: .failed(failure))])
        for (number, pages) in KeptPages.allCases.enumerated() {
            let waiter = 10 * (number + 1)
            let first = world.send(
                .asked(ada, waiter, deadline: .ms(100), keptPages: pages))
            #expect(first == [.end(waiter, as: .page(.of(1)))])
            let second = world.send(
                .asked(bob, waiter + 1, deadline: .ms(100), keptPages: pages))
            #expect(second == [.end(waiter + 1, as: .failed(failure))])
        }
        let nobody = LoadRequest.page(1, kind: .refresh)
        #expect(world.send(.asked(nobody, 3, deadline: .ms(100))) == [.call(3, nobody)])
    }

    @Test("For a shared feed, the subject is removed, and all users share answers")
    func shared() {
        var world = BrokerWorld(policy(isShared: true))
        let effects = world.send(.asked(.page(1, subject: "ada"), 1, deadline: .ms(100)))
        #expect(effects == [.call(1, .page(1))])
        #expect(world.send(.asked(.page(1, subject: "bob"), 2, deadline: .ms(100))).isEmpty)
        #expect(world.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1)))])
        #expect(
            world.send(.asked(.page(1), 3, deadline: .ms(100))) == [.end(3, as: .page(.of(1)))])
    }
}
