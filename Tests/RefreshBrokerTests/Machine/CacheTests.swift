import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The machine is `LoadBroker`, the state machine of the broker. A waiter is a session's load that
/// waits for an answer. After a refresh was answered, equal refreshes get the same answer until the
/// cool-down ends. Source: docs/backends.md, "Cache" and "Cool-down".
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
        var harness = BrokerHarness(policy())
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 3))
        harness.advance(to: .ms(99))
        #expect(
            harness.send(.requested(.page(1), 2, deadline: .ms(300))) == [
                .end(2, as: .page(.of(3)))
            ])
        #expect(
            harness.send(.requested(.page(2), 3, deadline: .ms(300))) == [
                .call(2, .page(2), deadline: .ms(300))
            ])
        harness.advance(to: .ms(100))
        #expect(
            harness.send(.requested(.page(1), 4, deadline: .ms(300))) == [
                .call(3, .page(1), deadline: .ms(300))
            ])
        #expect(harness.machine.counters.feeds["list"]?.hits.fresh == 1)
    }

    @Test(
        "An answer's own lifetime overrides the policy, up to a day, and 0 disables caching",
        arguments: [(0, 0), (50, 50), (200, 200), (90_000_000, 86_400_000), (-5, 0)])
    func ownLifetime(specified: Int, lasts: Int) {
        var harness = BrokerHarness(policy())
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 3, lifetimeMs: specified))
        let page = Page.of(3, lifetimeMs: specified)
        if lasts > 0 {
            harness.advance(to: .ms(Double(lasts) - 1))
            let effects = harness.send(.requested(.page(1), 2, deadline: .never))
            #expect(effects == [.end(2, as: .page(page))])
        }
        harness.advance(to: .ms(Double(lasts)))
        harness.send(.requested(.page(1), 3, deadline: .never))
        #expect(harness.running.count == 1)
    }

    @Test("A user's refresh does not accept a cached answer, but joins a running call")
    func explicit() {
        var harness = BrokerHarness(policy(lifetimeMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1))
        let effects = harness.send(.requested(request, 2, deadline: .ms(100), keptPages: .none))
        #expect(effects == [.call(2, request)])
        #expect(harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .none)).isEmpty)
        // An automatic refresh accepts the cached answer.
        #expect(
            harness.send(.requested(request, 4, deadline: .ms(100))) == [.end(4, as: .page(.of(1)))]
        )
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
    }

    @Test("A stale answer is returned while one background call loads a new answer")
    func stale() {
        var harness = BrokerHarness(policy(staleMs: 500))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(150))
        #expect(
            harness.send(.requested(.page(1), 2, deadline: .ms(160))) == [
                .end(2, as: .page(.of(1))), .call(2, .page(1), deadline: .ms(1150)),
            ])
        // The background call has no waiters, but it is not aborted.
        #expect(harness.machine.nextDeadline == .ms(1150))
        #expect(
            harness.send(.requested(.page(1), 3, deadline: .ms(160))) == [
                .end(3, as: .page(.of(1)))
            ])
        #expect(harness.send(.succeeded(2, 2)).isEmpty)
        #expect(
            harness.send(.requested(.page(1), 4, deadline: .ms(160))) == [
                .end(4, as: .page(.of(2)))
            ])
        let tally = harness.machine.counters.feeds["list"]
        #expect(tally?.revalidations == 1)
        #expect(tally?.hits.stale == 2)
        harness.advance(to: .ms(150 + 600))
        harness.send(.requested(.page(1), 5, deadline: .ms(2000)))
        #expect(harness.outcomes[5] == nil, "an answer beyond staleMs was returned")
    }

    @Test("If a background call fails, the stale answer stays in the cache")
    func staleFailure() {
        var harness = BrokerHarness(policy(staleMs: 500, failureMs: 50))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(150))
        harness.send(.requested(.page(1), 2, deadline: .ms(160)))
        #expect(harness.send(.failed(2, .backendFailed)).isEmpty)
        // The failure is cached too, so no call starts for 50 ms.
        #expect(
            harness.send(.requested(.page(1), 3, deadline: .ms(160))) == [
                .end(3, as: .page(.of(1)))
            ])
        harness.advance(to: .ms(200))
        let again = harness.send(.requested(.page(1), 4, deadline: .ms(300)))
        #expect(
            again == [.end(4, as: .page(.of(1))), .call(3, .page(1), deadline: .ms(1200))])
    }

    @Test("A background call is aborted at its own deadline")
    func staleTimedOut() {
        var harness = BrokerHarness(policy(staleMs: 5000))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(150))
        harness.send(.requested(.page(1), 2, deadline: .ms(160)))
        #expect(harness.pass(to: .ms(1150)) == [.abort(CallID(2))])
        #expect(harness.machine.nextDeadline == nil)
        harness.send(.failed(2, .backendFailed))
        #expect(harness.machine.isEmpty)
        #expect(harness.machine.counters.lateAnswers == 1)
    }

    @Test("If a waiter joins a background call and leaves, the call continues")
    func joinBackground() {
        var harness = BrokerHarness(policy(staleMs: 500))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(150))
        harness.send(.requested(request, 2, deadline: .ms(160)))
        #expect(harness.send(.requested(request, 3, deadline: .ms(400), keptPages: .none)).isEmpty)
        #expect(harness.send(.waiterCancelled(3)) == [.end(3, as: .cancelled)])
        #expect(harness.machine.isAwaited(CallID(2)) == true)
        #expect(harness.send(.succeeded(2, 2)).isEmpty)
    }

    @Test("A cached failure is returned for failureMs, also to a user's refresh")
    func failures() {
        var harness = BrokerHarness(policy(failureMs: 50))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.failed(1, .backendFailed))
        harness.advance(to: .ms(49))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100))) == [
                .end(2, as: .failed(failure))
            ])
        #expect(
            harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .none)) == [
                .end(3, as: .failed(failure))
            ])
        harness.advance(to: .ms(50))
        #expect(harness.send(.requested(request, 4, deadline: .ms(100))) == [.call(2, request)])
        #expect(harness.machine.counters.feeds["list"]?.hits.failure == 2)
    }

    @Test(
        "In the cool-down, a user's refresh gets the last answer, even without a cache"
    )
    func coolDown() {
        var harness = BrokerHarness(policy(lifetimeMs: nil, coolDownMs: 20))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1, lifetimeMs: 0))
        let page = Page.of(1, lifetimeMs: 0)
        harness.advance(to: .ms(19))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100), keptPages: .none)) == [
                .end(2, as: .page(page))
            ])
        #expect(harness.machine.counters.feeds["list"]?.hits.coolDown == 1)
        harness.advance(to: .ms(20))
        let effects = harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .none))
        #expect(effects == [.call(2, request)])
        // The cool-down applies to refreshes only.
        harness.send(.requested(.page(2), 4, deadline: .ms(100)))
        harness.send(.succeeded(3, 1))
        #expect(harness.send(.requested(.page(2), 5, deadline: .ms(100))) == [.call(4, .page(2))])
    }

    @Test("A look-up gets a fresh or stale page with its age, and never causes a call")
    func lookUp() {
        var harness = BrokerHarness(policy(lifetimeMs: 20, staleMs: 20, failureMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        func lookUp(_ waiter: Int, in harness: inout BrokerHarness) -> FoundPage? {
            let effects = harness.send(
                .requested(request, waiter, deadline: .ms(1000), isLookUp: true))
            guard case .deliver([waiter], .lookUpEnded(let found)) = effects.first,
                effects.count == 1
            else {
                Issue.record("\(effects)")
                return nil
            }
            return found
        }
        #expect(lookUp(1, in: &harness) == nil)
        harness.send(.requested(request, 2, deadline: .ms(1000)))
        // A look-up does not join the running call.
        #expect(lookUp(3, in: &harness) == nil)
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(19))
        #expect(lookUp(4, in: &harness) == FoundPage(page: .of(1), ageMs: 19, isFresh: true))
        harness.advance(to: .ms(39))
        #expect(lookUp(5, in: &harness) == FoundPage(page: .of(1), ageMs: 39, isFresh: false))
        #expect(harness.machine.callsInFlight == 0)
        harness.advance(to: .ms(40))
        #expect(lookUp(6, in: &harness) == nil)
        // A look-up does not find a cached failure.
        harness.send(.requested(request, 7, deadline: .ms(1000)))
        harness.send(.failed(2, .backendFailed))
        #expect(lookUp(8, in: &harness) == nil)
        harness.send(.stopped)
        #expect(lookUp(9, in: &harness) == nil)
        #expect(harness.machine.isEmpty)
    }

    @Test("A feed change makes cached answers stale, and they are dropped staleMs after the change")
    func change() {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000, staleMs: 50, coolDownMs: 1000))
        let request = LoadRequest.page(1)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(10))
        harness.send(.feedChanged("list"))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100))) == [
                .end(2, as: .page(.of(1))), .call(2, request, deadline: .ms(1010)),
            ])
        // A feed change causes loads with `.fresh`. They do not accept an answer that the change
        // made stale.
        #expect(harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .fresh)).isEmpty)
        #expect(harness.send(.requested(request, 5, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(harness.send(.succeeded(2, 2)) == [.end(3, 5, as: .page(.of(2)))])
        #expect(
            harness.send(.requested(request, 6, deadline: .ms(100), keptPages: .fresh)) == [
                .end(6, as: .page(.of(2)))
            ])
        harness.advance(to: .ms(20))
        harness.send(.feedChanged("list"))
        harness.advance(to: .ms(70))
        harness.send(.requested(request, 4, deadline: .ms(100)))
        #expect(harness.outcomes[4] == nil, "an answer beyond staleMs was returned")
    }

    @Test(
        "A refresh after a feed change gets no older answer, even within staleMs or the cool-down"
    )
    func refreshAfterChange() {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000, staleMs: 5000, coolDownMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.send(.feedChanged("list"))
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))) == [.call(2, request)])
        #expect(harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
        #expect(
            harness.send(.requested(request, 4, deadline: .ms(100))) == [.end(4, as: .page(.of(2)))]
        )
    }

    @Test("A refresh because of a feed change starts exactly one call")
    func changedRefresh() {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000, staleMs: 10_000, coolDownMs: 1000))
        let request = LoadRequest.page(1, kind: .refresh)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        harness.advance(to: .ms(10))
        harness.send(.feedChanged("list"))
        #expect(
            harness.send(.requested(request, 2, deadline: .ms(100), keptPages: .fresh)) == [
                .call(2, request)
            ])
        #expect(harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .fresh)).isEmpty)
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, 3, as: .page(.of(2)))])
        #expect(harness.machine.counters.feeds["list"]?.revalidations == 0)
    }

    @Test("An answer to a call from before a feed change is delivered, but not cached")
    func changeInFlight() {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000, staleMs: 5000))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.advance(to: .ms(10))
        harness.send(.feedChanged("list"))
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.send(.requested(.page(1), 2, deadline: .ms(100))) == [.call(2, .page(1))])
    }

    @Test("A call that starts after a change, but in the same microsecond, yields a fresh answer")
    func changeAtOnce() {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000))
        harness.send(.feedChanged("list"))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 1))
        #expect(
            harness.send(.requested(.page(1), 2, deadline: .ms(100))) == [
                .end(2, as: .page(.of(1)))
            ])
    }

    @Test("A change drops cached failures, and the failures of running calls are not cached")
    func failureBeforeChange() {
        var harness = BrokerHarness(policy(failureMs: 10_000))
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(2), 2, deadline: .ms(100)))
        harness.send(.failed(1, .backendFailed))
        harness.send(.feedChanged("list"))
        harness.send(.failed(2, .backendFailed))
        #expect(harness.send(.requested(.page(1), 3, deadline: .ms(100))) == [.call(3, .page(1))])
        #expect(harness.send(.requested(.page(2), 4, deadline: .ms(100))) == [.call(4, .page(2))])
        // The failure of a call that began after the change is cached.
        harness.send(.failed(3, .backendFailed))
        #expect(
            harness.send(.requested(.page(1), 5, deadline: .ms(100))) == [
                .end(5, as: .failed(failure))
            ])
    }

    @Test(
        "A newer first page drops the cached following pages of its own list, but of no other list",
        arguments: [nil, 0])
    func newerFirstPage(lifetimeMs: Int?) {
        var harness = BrokerHarness(policy(lifetimeMs: 10_000))
        let refresh = LoadRequest.page(1, kind: .refresh)
        var german = LoadRequest.page(2)
        german.headers = [HeaderField(name: "accept-language", value: "de")]
        let others = [LoadRequest.page(2, subject: "ada"), german]
        for (waiter, request) in ([.page(2), .page(3)] + others).enumerated() {
            harness.send(.requested(request, waiter, deadline: .ms(100)))
            harness.send(.succeeded(UInt64(waiter) + 1, 2))
        }
        #expect(
            harness.send(.requested(.page(2), 10, deadline: .ms(100))) == [
                .end(10, as: .page(.of(2)))
            ])
        // A following page whose call began earlier also belongs to the older list.
        harness.send(.requested(.page(4), 11, deadline: .ms(100)))
        harness.send(.requested(refresh, 12, deadline: .ms(100), keptPages: .none))
        harness.send(.succeeded(6, 1, lifetimeMs: lifetimeMs))
        #expect(harness.machine.cache.count == (lifetimeMs == nil ? 3 : 2))
        #expect(harness.send(.succeeded(5, 2)) == [.end(11, as: .page(.of(2)))])
        for (waiter, page) in zip(20..., 2...4) {
            #expect(
                harness.send(.requested(.page(page), waiter, deadline: .ms(100))) == [
                    .call(UInt64(page) + 5, .page(page))
                ])
            harness.send(.succeeded(UInt64(page) + 5, 2))
        }
        for (waiter, request) in zip(30..., [LoadRequest.page(4)] + others) {
            #expect(
                harness.send(.requested(request, waiter, deadline: .ms(100))) == [
                    .end(waiter, as: .page(.of(2)))
                ])
        }
    }

    @Test("Two users share neither calls nor cached answers nor cool-downs")
    func subjects() {
        let all = policy(lifetimeMs: 1000, staleMs: 1000, failureMs: 1000, coolDownMs: 1000)
        var harness = BrokerHarness(all)
        let ada = LoadRequest.page(1, kind: .refresh, subject: "ada")
        let bob = LoadRequest.page(1, kind: .refresh, subject: "bob")
        #expect(harness.send(.requested(ada, 1, deadline: .ms(100))) == [.call(1, ada)])
        #expect(harness.send(.requested(bob, 2, deadline: .ms(100))) == [.call(2, bob)])
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.send(.failed(2, .backendFailed)) == [.end(2, as: .failed(failure))])
        for (number, pages) in KeptPages.allCases.enumerated() {
            let waiter = 10 * (number + 1)
            let first = harness.send(
                .requested(ada, waiter, deadline: .ms(100), keptPages: pages))
            #expect(first == [.end(waiter, as: .page(.of(1)))])
            let second = harness.send(
                .requested(bob, waiter + 1, deadline: .ms(100), keptPages: pages))
            #expect(second == [.end(waiter + 1, as: .failed(failure))])
        }
        let anonymous = LoadRequest.page(1, kind: .refresh)
        #expect(harness.send(.requested(anonymous, 3, deadline: .ms(100))) == [.call(3, anonymous)])
    }

    @Test("For a shared feed, the subject is removed from requests, and all users share answers")
    func shared() {
        var harness = BrokerHarness(policy(isShared: true))
        let effects = harness.send(.requested(.page(1, subject: "ada"), 1, deadline: .ms(100)))
        #expect(effects == [.call(1, .page(1))])
        #expect(harness.send(.requested(.page(1, subject: "bob"), 2, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1)))])
        #expect(
            harness.send(.requested(.page(1), 3, deadline: .ms(100))) == [
                .end(3, as: .page(.of(1)))
            ])
    }
}
