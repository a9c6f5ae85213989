import RefreshProtocol
import Testing

@testable import RefreshBroker

/// A call is outdated (overtaken) if its feed changes after the beginning of the call. The waiters
/// of the call get the answer, but later requests start another load.
@Suite("The broker's machine: loads during a feed change")
struct OvertakenLoadTests {
    private let request = LoadRequest.page(1, kind: .refresh)

    private func policy(lifetimeMs: Int = 10_000, failureMs: Int = 0) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: lifetimeMs, staleMs: 5000, failureMs: failureMs)
        return policy
    }

    @Test("A load after a feed change does not join a call from before the change")
    func newCall() {
        var harness = BrokerHarness()
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))) == [.call(2, request)])
        #expect(harness.send(.requested(request, 3, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        // After the end of the outdated load, waiters can join the new load.
        #expect(harness.send(.requested(request, 4, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, 3, 4, as: .page(.of(2)))])
        #expect(harness.machine.isEmpty)
    }

    @Test("When the last waiter of an outdated call leaves, the newer call continues")
    func leaving() {
        var harness = BrokerHarness()
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        harness.send(.requested(request, 2, deadline: .ms(100)))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled), .abort(CallID(1))])
        #expect(harness.machine.phase(of: request) == .calling(CallID(2)))
        #expect(harness.send(.requested(request, 3, deadline: .ms(100))).isEmpty)
        harness.send(.succeeded(2, 2))
        #expect(harness.outcomes[3] == .page(.of(2)))
    }

    @Test("A change makes no load outdated if it concerns another feed or precedes the load's call")
    func notOvertaken() {
        var backend = BackendPolicy()
        backend.calls = 1
        var harness = BrokerHarness(FeedPolicy(), backend)
        harness.send(.requested(.page(9), 1, deadline: .ms(100)))
        harness.send(.feedChanged("other"))
        #expect(harness.send(.requested(.page(9), 2, deadline: .ms(100))).isEmpty)
        harness.send(.requested(request, 3, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        // The load's call has not started, so its answer will be new enough.
        #expect(harness.send(.requested(request, 4, deadline: .ms(100))).isEmpty)
        #expect(
            harness.send(.succeeded(1)) == [.end(1, 2, as: .page(.of(1))), .call(2, request)])
        #expect(harness.send(.succeeded(2, 2)) == [.end(3, 4, as: .page(.of(2)))])
    }

    @Test("An outdated answer that arrives last does not replace the newer cached answer")
    func keptOrder() {
        var harness = BrokerHarness(policy())
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        harness.send(.requested(request, 2, deadline: .ms(100)))
        harness.send(.succeeded(2, 2))
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(
            harness.send(.requested(request, 3, deadline: .ms(100))) == [.end(3, as: .page(.of(2)))]
        )
    }

    @Test(
        "After an outdated first page, the following pages of the earlier list are requested again")
    func followingPages() {
        var harness = BrokerHarness(policy())
        harness.send(.requested(.page(2), 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 2))
        harness.send(.requested(request, 2, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        #expect(harness.send(.succeeded(2, 1)) == [.end(2, as: .page(.of(1)))])
        #expect(
            harness.send(.requested(.page(2), 3, deadline: .ms(100))) == [.call(3, .page(2))])
    }

    @Test(
        "If a load of more items gets the first page, the following pages are requested again",
        arguments: [
            (
                PagingStyle.page, 1, LoadRequest.at(page: 1, 0, nil),
                LoadRequest.at(page: 2, 10, nil)
            ),
            (.page, 0, .at(page: 0, 0, nil), .at(page: 1, 10, nil)),
            (.offset, 0, .at(page: 1, 0, nil), .at(page: 2, 10, nil)),
            (.offset, 1, .at(page: 1, 1, nil), .at(page: 2, 11, nil)),
            (.cursor, 0, .at(page: 1, 0, nil), .at(page: 2, 10, "c")),
        ])
    func firstPageOfMore(
        style: PagingStyle, first: Int, firstPage: LoadRequest, secondPage: LoadRequest
    ) {
        var policy = policy()
        policy.numbering = .init(style: style, first: first)
        var harness = BrokerHarness(policy)
        harness.send(.requested(secondPage, 1, deadline: .ms(100)))
        harness.send(.succeeded(1, 2))
        // A following page does not begin a list, so the second page stays cached.
        harness.send(.requested(.at(page: 3, 21, "d"), 2, deadline: .ms(100)))
        harness.send(.succeeded(2, 3))
        #expect(
            harness.send(.requested(secondPage, 3, deadline: .ms(100)))
                == [.end(3, as: .page(.of(2)))])
        var refresh = firstPage
        refresh.kind = .refresh
        harness.send(.requested(refresh, 7, deadline: .ms(100)))
        harness.send(.succeeded(3, 4))
        harness.send(.requested(secondPage, 8, deadline: .ms(100)))
        harness.send(.succeeded(4, 2))
        harness.send(.requested(firstPage, 4, deadline: .ms(100)))
        harness.send(.succeeded(5, 1))
        #expect(
            harness.send(.requested(secondPage, 5, deadline: .ms(100))) == [.call(6, secondPage)])
        #expect(harness.send(.requested(refresh, 9, deadline: .ms(100))) == [.call(7, refresh)])
        // The first page itself is cached.
        #expect(
            harness.send(.requested(firstPage, 6, deadline: .ms(100)))
                == [.end(6, as: .page(.of(1)))])
    }

    @Test("The failure of an outdated load reaches its waiters, but is not cached")
    func keptFailure() {
        var harness = BrokerHarness(policy(failureMs: 1000))
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        let failure = LoadFailure(.backendRejected, "no")
        #expect(
            harness.send(.failed(1, .backendRejected)) == [.end(1, as: .failed(failure))])
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))) == [.call(2, request)])
    }

    @Test("An outdated load is retried for its waiters")
    func retried() {
        var backend = BackendPolicy()
        backend.retry.attempts = 2
        backend.retry.baseMs = 1
        backend.retry.capMs = 1
        var harness = BrokerHarness(FeedPolicy(), backend)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        harness.send(.feedChanged("list"))
        harness.send(.requested(request, 2, deadline: .ms(100)))
        harness.send(.failed(1, .backendFailed))
        harness.pass(to: .ms(1))
        #expect(harness.running[CallID(3)]?.attempt == 2)
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, as: .page(.of(2)))])
        #expect(harness.send(.succeeded(3, 3)) == [.end(1, as: .page(.of(3)))])
        #expect(harness.machine.isEmpty)
    }
}

extension LoadRequest {
    fileprivate static func at(page: Int, _ offset: Int, _ cursor: String?) -> LoadRequest {
        LoadRequest(
            feed: "list", kind: .more, page: page, offset: offset, size: 10, cursor: cursor)
    }
}
