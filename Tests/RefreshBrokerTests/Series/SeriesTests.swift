import RefreshProtocol
import Testing

@testable import RefreshBroker

/// Requests for several pages. Such a request is a series: one load with several calls and one
/// answer. Source: docs/backends.md, "One call for all".
@Suite("Series of pages")
struct SeriesTests {
    private static func start(
        _ waiter: Int, deadline: Instant = .ms(1000), pages: Int = 3,
        style: PagingStyle = .page, keptPages: KeptPages = .none, feed: String = "list"
    ) -> BrokerHarness.Machine.Event {
        .started(
            BrokerRequest(
                .page(1, feed: feed, kind: .refresh), idempotencyKey: "key-\(waiter)",
                keptPages: keptPages,
                series: PageSeries(count: pages, skipped: 0, style: style)),
            waiter, deadline: deadline)
    }

    private static func calls(_ effects: [BrokerHarness.Machine.Effect]) -> [CallOrder] {
        effects.compactMap { if case .call(let order) = $0 { order } else { nil } }
    }

    /// A page of ten items.
    private static func page(_ first: Int, cursor: String? = nil) -> Page {
        let items = (first..<first + 10).map(String.init).joined(separator: ",")
        return Page(items: Array("[\(items)]".utf8), count: 10, more: true, cursor: cursor)
    }

    /// The answer that consists of `pages` pages of ten items.
    private static func joined(_ pages: Int, cursor: String? = nil) -> LoadEvent {
        let items = (0..<10 * pages).map(String.init).joined(separator: ",")
        var page = Page(
            items: Array("[\(items)]".utf8), count: 10 * pages, more: true, cursor: cursor)
        page.parts = Page.Parts(pages: pages, lastCount: 10, skipped: 0)
        return .ended(.page(page))
    }

    /// The request of a series for a page after the first one.
    private static func following(_ page: Int) -> LoadRequest {
        LoadRequest(feed: "list", kind: .more, page: page, offset: 10 * (page - 1), size: 10)
    }

    private static func answer(_ order: CallOrder) -> BrokerHarness.Machine.Event {
        .answered(order.id, .success(page(10 * (order.request.page - 1))))
    }

    @Test("Equal series share the calls and the answer")
    func shared() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1)))
        #expect(calls.map(\.request.page) == [1, 2, 3])
        #expect(calls.map(\.request.kind) == [.refresh, .more, .more])
        #expect(Set(calls.map(\.idempotencyKey)).count == 3)
        #expect(calls.allSatisfy { $0.idempotencyKey.hasPrefix("key-1-") })
        #expect(harness.send(Self.start(2)).isEmpty)
        #expect(harness.send(Self.answer(calls[1])).isEmpty)
        #expect(harness.send(Self.answer(calls[0])).isEmpty)
        #expect(harness.send(Self.answer(calls[2])) == [.deliver([1, 2], Self.joined(3))])
        #expect(harness.machine.isEmpty)
        #expect(harness.machine.counters.feeds["list"]?.joined == 1)
    }

    @Test("After a page of a series arrives, a new equal series joins only the running calls")
    func joinedLate() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1)))
        harness.send(Self.answer(calls[1]))
        let own = Self.calls(harness.send(Self.start(2)))
        #expect(own.map(\.request.page) == [2])
        harness.send(Self.answer(calls[0]))
        #expect(harness.send(Self.answer(calls[2])) == [.deliver([1], Self.joined(3))])
        #expect(harness.send(Self.answer(own[0])) == [.deliver([2], Self.joined(3))])
        #expect(harness.machine.isEmpty)
    }

    @Test("Series that differ in number of pages, style or accepted cached pages are separate")
    func different() {
        var harness = BrokerHarness(loadsInFlightMax: 20)
        harness.send(Self.start(1))
        #expect(Self.calls(harness.send(Self.start(2, pages: 4))).map(\.request.page) == [4])
        harness.send(Self.start(3, style: .cursor))
        harness.send(Self.start(4, keptPages: .any))
        harness.send(Self.start(5))
        #expect(harness.machine.seriesLoads.count == 4)
        harness.send(.stopped)
        #expect(
            harness.outcomes == [
                1: .cancelled, 2: .cancelled, 3: .cancelled, 4: .cancelled, 5: .cancelled,
            ])
    }

    @Test("After a change of the feed, no load joins an earlier series or its calls")
    func change() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1)))
        harness.send(.feedChanged("list"))
        let own = Self.calls(harness.send(Self.start(2)))
        #expect(own.map(\.request.page) == [1, 2, 3])
        for call in calls + own { harness.send(Self.answer(call)) }
        #expect(harness.outcomes.count == 2 && harness.machine.isEmpty)
    }

    @Test("A request for one page and a series can join each other's call for that page")
    func mixed() {
        var harness = BrokerHarness()
        let single = Self.calls(
            harness.send(.requested(Self.following(2), 1, deadline: .ms(1000), keptPages: .none)))
        let calls = Self.calls(harness.send(Self.start(2)))
        #expect(calls.map(\.request.page) == [1, 3])
        #expect(
            harness.send(.requested(Self.following(3), 3, deadline: .ms(1000), keptPages: .none))
                .isEmpty)
        #expect(
            harness.send(Self.answer(single[0])) == [.deliver([1], .ended(.page(Self.page(10))))])
        #expect(
            harness.send(Self.answer(calls[1])) == [.deliver([3], .ended(.page(Self.page(20))))])
        #expect(harness.send(Self.answer(calls[0])) == [.deliver([2], Self.joined(3))])
    }

    @Test("The calls of a series run until its last waiter has left")
    func leaving() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1)))
        harness.send(Self.start(2))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled)])
        harness.send(Self.answer(calls[1]))
        #expect(
            harness.send(.waiterCancelled(2))
                == [.end(2, as: .cancelled), .abort(calls[0].id), .abort(calls[2].id)])
        #expect(harness.machine.seriesLoads.isEmpty && harness.machine.flights.isEmpty)
    }

    @Test("Each waiter of a series has its own deadline, and the last deadline ends the calls")
    func deadlines() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1, deadline: .ms(50))))
        #expect(calls.allSatisfy { $0.deadline == .ms(50) })
        harness.send(Self.start(2, deadline: .ms(20)))
        #expect(harness.pass(to: .ms(20)) == [.end(2, as: .timedOut)])
        #expect(
            harness.pass(to: .ms(50)) == [.end(1, as: .timedOut)] + calls.map { .abort($0.id) })
    }

    @Test("When a call of a series begins, its deadline is the latest deadline of the waiters")
    func laterDeadline() {
        var policy = BackendPolicy()
        policy.calls = 1
        var harness = BrokerHarness(FeedPolicy(), policy)
        let first = Self.calls(harness.send(Self.start(1, deadline: .ms(50))))
        harness.send(Self.start(2, deadline: .ms(80)))
        let second = Self.calls(harness.send(Self.answer(first[0])))
        #expect(second.map(\.request.page) == [2] && second.map(\.deadline) == [.ms(80)])
        #expect(harness.pass(to: .ms(50)) == [.end(1, as: .timedOut)])
        let third = Self.calls(harness.send(Self.answer(second[0])))
        #expect(harness.send(Self.answer(third[0])) == [.deliver([2], Self.joined(3))])
    }

    @Test("If one page fails, the series fails for the same reason, and its other calls end")
    func failure() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1)))
        harness.send(Self.start(2))
        #expect(
            harness.send(.failed(calls[1].id.number, .backendFailed))
                == [
                    .end(1, 2, as: .failed(LoadFailure(.backendFailed, "no"))),
                    .abort(calls[0].id), .abort(calls[2].id),
                ])
        #expect(harness.machine.flights.isEmpty)
    }

    @Test("If the queue of the backend is too short for all pages, the series fails as busy")
    func busy() {
        var policy = BackendPolicy()
        policy.calls = 1
        policy.queue = 1
        var harness = BrokerHarness(FeedPolicy(), policy)
        let effects = harness.send(Self.start(1))
        guard case .failed(let failure) = harness.outcomes[1] else {
            Issue.record("\(effects)")
            return
        }
        #expect(failure.code == .backendBusy)
        #expect(harness.machine.counters.feeds["list"]?.refused == 1)
        #expect(harness.machine.flights.isEmpty)
    }

    @Test("Waiting loads get a call before the next page of a series with cursors does")
    func order() {
        var policy = BackendPolicy()
        policy.calls = 1
        var harness = BrokerHarness(FeedPolicy(), policy)
        let first = Self.calls(harness.send(Self.start(1, pages: 2, style: .cursor)))
        #expect(first.map(\.request.cursor) == [nil])
        harness.send(.requested(.page(7), 2, deadline: .ms(1000)))
        let next = Self.calls(
            harness.send(.answered(first[0].id, .success(Self.page(0, cursor: "a")))))
        #expect(next.map(\.request.page) == [7])
        let last = Self.calls(harness.send(Self.answer(next[0])))
        #expect(last.map(\.request.cursor) == ["a"] && last.map(\.request.offset) == [10])
        #expect(
            harness.send(.answered(last[0].id, .success(Self.page(10, cursor: "b"))))
                == [.deliver([1], Self.joined(2, cursor: "b"))])
    }

    @Test("Cached pages that the series accepts need no call")
    func cached() {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 100)
        var harness = BrokerHarness(policy, BackendPolicy())
        for call in Self.calls(harness.send(Self.start(1))) { harness.send(Self.answer(call)) }
        // Following pages that were requested before the answer for the first page are not cached.
        let following = Self.calls(harness.send(Self.start(2, keptPages: .fresh)))
        #expect(following.map(\.request.page) == [2, 3])
        for call in following { harness.send(Self.answer(call)) }
        #expect(
            harness.send(Self.start(3, keptPages: .fresh)) == [.deliver([3], Self.joined(3))])
        #expect(Self.calls(harness.send(Self.start(4))).count == 3)
    }

    @Test("If the first page is not cached, no other page of the series comes from the cache")
    func newFirstPage() {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 100)
        var harness = BrokerHarness(policy, BackendPolicy())
        let following = Self.calls(
            harness.send(.requested(Self.following(2), 1, deadline: .ms(1000))))
        harness.send(Self.answer(following[0]))
        let calls = Self.calls(harness.send(Self.start(2, keptPages: .fresh)))
        #expect(calls.map(\.request.page) == [1, 2, 3])
        // A series with cursors requests one page after the other. So it only joins the call for
        // the first page.
        let own = Self.calls(harness.send(Self.start(3, style: .cursor, keptPages: .fresh)))
        #expect(own.map(\.request.page).isEmpty)
    }

    @Test("If a page is the last one of the list, the failure of a later page does not matter")
    func lateFailure() {
        var policy = BackendPolicy()
        policy.calls = 1
        policy.queue = 1
        var feed = FeedPolicy()
        feed.cache = .init(lifetimeMs: 100)
        var harness = BrokerHarness(feed, policy)
        let first = Self.calls(harness.send(Self.start(1, pages: 1)))
        harness.send(Self.answer(first[0]))
        var last = Page(items: Array("[10]".utf8), count: 1, more: false)
        last.itemKeys = nil
        let second = Self.calls(
            harness.send(.requested(Self.following(2), 2, deadline: .ms(1000))))
        harness.send(.answered(second[0].id, .success(last)))
        // One request has the only call, and another one fills the queue.
        harness.send(.requested(.page(8), 3, deadline: .ms(1000)))
        harness.send(.requested(.page(9), 4, deadline: .ms(1000)))
        harness.send(Self.start(5, keptPages: .fresh))
        guard case .page(let page) = harness.outcomes[5] else {
            Issue.record("\(String(describing: harness.outcomes[5]))")
            return
        }
        #expect(page.parts?.pages == 2 && page.count == 11)
    }

    @Test("If a feed gets another backend, its series fail, because two backends have two lists")
    func remade() {
        var harness = BrokerHarness()
        let calls = Self.calls(harness.send(Self.start(1, style: .cursor)))
        harness.send(.answered(calls[0].id, .success(Self.page(0, cursor: "a"))))
        harness.send(.rulesChanged(harness.rules, remade: ["list"]))
        guard case .failed(let failure) = harness.outcomes[1] else {
            Issue.record("the series has not ended")
            return
        }
        #expect(failure.code == .backendUnavailable)
        #expect(harness.machine.seriesLoads.isEmpty)
    }

    @Test("The progress of a series covers all its pages, and retries of a page are reported")
    func progress() {
        var policy = BackendPolicy()
        policy.retry.attempts = 2
        var harness = BrokerHarness(FeedPolicy(), policy)
        let calls = Self.calls(harness.send(Self.start(1, pages: 2)))
        #expect(
            harness.send(.progressed(calls[0].id, 0.5)) == [.deliver([1], .progressed(0.25))])
        #expect(
            harness.send(.progressed(calls[1].id, 1)) == [.deliver([1], .progressed(0.75))])
        let effects = harness.send(.failed(calls[0].id.number, .backendUnavailable))
        guard case .deliver([1], .retrying(attempt: 2, _, _)) = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }
}
