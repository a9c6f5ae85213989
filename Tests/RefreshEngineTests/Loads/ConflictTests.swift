import RefreshEngine
import RefreshProtocol
import Testing

/// The effect of a load that is requested while the other edge loads: cancel, queue, reject or
/// concurrent.
@Suite("Two edges, one list")
struct ConflictTests {
    private static let page = "load 1.2 more manual by code, page 2 offset 10 size 10"

    /// Returns a list that loads page 2 with load 2.
    private static func loadingMore(_ policy: ConflictPolicy) -> EngineTester {
        var tester = EngineTester(.iq { $0.refresh?.whileLoading = policy })
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect("bottom loading by code", "inset bottom 60 in 100", page)
        return tester
    }

    /// Returns a list that has its first page, and whose running refresh is load 2.
    private static func refreshing(_ policy: ConflictPolicy) -> EngineTester {
        var tester = EngineTester(.iq { $0.loadMore?.whileRefreshing = policy })
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        return tester
    }

    // MARK: A refresh while a page loads

    @Test("With `cancel`, a refresh cancels the load of a page")
    func refreshCancels() {
        var tester = Self.loadingMore(.cancel)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after cancelled", "end 1.2 more cancelled",
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.3 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `queue`, a requested refresh waits and begins after the load of the page")
    func refreshQueues() {
        var tester = Self.loadingMore(.queue)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect("top triggered by code")
        tester.expect(top: .waiting, bottom: .loading(LoadID(2)))
        tester.send(.refreshRequested(cause: .key, animated: true))
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.3 refresh manual by code, page 1 offset 0 size 10", "list 20 and more")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `queue`, a pull that fires waits, keeps its cause and trigger, and fires once")
    func pullQueues() {
        var tester = Self.loadingMore(.queue)
        tester.pullAndRelease(to: -70)
        tester.expect("impact", "top triggered by finger")
        tester.scroll(.idle, 0)
        tester.send(.indicatorShowRequested(animated: false))
        tester.expectNothing()
        tester.send(.timePassed, after: 40_000)
        tester.expect(
            "inset bottom 0 in 100", "bottom failed after timedOut", "end 1.2 more timedOut",
            "top refreshing by finger", "inset top 60 in 100", "offset -60 in 100",
            "load 1.3 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test(
        "With `queue`, a waiting refresh ends by cancel, by end or if the edge is disabled",
        arguments: [
            Event.cancelRequested(.refresh), .indicatorHideRequested(animated: true),
            .edgeEnabled(.refresh, false),
        ])
    func waitingGivenUp(event: Event) {
        var tester = Self.loadingMore(.queue)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(event)
        tester.expect(event == .edgeEnabled(.refresh, false) ? "top disabled" : "top idle")
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "list 20 and more")
    }

    @Test("With `queue`, a refresh that waits closes the indicator, and opens it when it loads")
    func shownThenQueued() {
        var tester = Self.loadingMore(.queue)
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "inset top 60", "offset -60")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect("inset top 0", "offset 0", "top triggered by code")
        tester.send(.cancelRequested(.loadMore))
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after cancelled", "end 1.2 more cancelled",
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.3 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `reject`, neither a request nor a pull begins a refresh")
    func refreshRejected() {
        var tester = Self.loadingMore(.reject)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expectNothing()
        tester.drag(to: -70)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -70)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test(
        "With `concurrent`, both edges load, and the page is dropped if a new list is received",
        arguments: [true, false])
    func refreshBeside(hasMore: Bool) {
        var tester = Self.loadingMore(.concurrent)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.3 refresh manual by code, page 1 offset 0 size 10")
        tester.expect(top: .refreshing(LoadID(3)), bottom: .loading(LoadID(2)))
        tester.finish(3, .success, count: hasMore ? 10 : 3)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.expect(
            ["inset bottom 0 in 100", "bottom idle after cancelled", "end 1.2 more cancelled"]
                + (hasMore ? [] : ["bottom noMore"]))
        tester.expect(top: .idle, bottom: hasMore ? .idle : .noMore)
    }

    @Test("With `concurrent`, a page that arrives before the refresh ends is added to the old list")
    func pageFirst() {
        var tester = Self.loadingMore(.concurrent)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "list 20 and more")
        tester.finish(3, .success, count: 10)
        tester.skip()
        #expect(tester.engine.paging.itemCount == 10)
    }

    // MARK: A page while a refresh loads

    @Test("With `cancel`, a request for a page cancels the refresh")
    func moreCancels() {
        var tester = Self.refreshing(.cancel)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after cancelled",
            "end 1.2 refresh cancelled", "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 2 offset 10 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `queue`, a requested page waits for the refresh, and is page 2 of the new list")
    func moreQueues() {
        var tester = Self.refreshing(.queue)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect("bottom triggered by code")
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.2 refresh success", "list 10 and more", "bottom loading by code",
            "inset bottom 60 in 100", "load 1.3 more manual by code, page 2 offset 10 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `queue`, a page that a gesture fired waits and keeps its cause and trigger")
    func gestureQueues() {
        var tester = Self.refreshing(.queue)
        tester.drag(to: 600)
        tester.skip()
        tester.scroll(.dragging, 1200)
        tester.expect("impact", "bottom triggered by finger")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expectNothing()
        tester.scroll(.ended, 1200)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.2 refresh success",
            "list 10 and more", "bottom loading by finger", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.4 more manual by code, page 3 offset 20 size 10")
        tester.finish(4, .cancelled)
        tester.skip()
    }

    @Test("With `queue`, a waiting page is not requested if the new list has no further page")
    func moreQueuedForNothing() {
        var tester = Self.refreshing(.queue)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(2, .success, count: 3)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.2 refresh success", "list 3", "bottom noMore")
    }

    @Test(
        "With `queue`, a waiting page loads after the refresh, whatever the refresh's result",
        arguments: [
            Event.cancelRequested(.refresh), .indicatorHideRequested(animated: false),
            .edgeEnabled(.refresh, false), .timePassed, .loadBegan(LoadID(2), accepted: false),
            .loadEnded(LoadID(2), LoadEnding(.failed)),
        ])
    func moreResumes(event: Event) {
        var tester = Self.refreshing(.queue)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(event, after: 40_000)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `queue`, a page that a finger requests at the end waits for the refresh")
    func reachQueues() {
        var tester = Self.refreshing(.queue)
        tester.drag(to: 900)
        tester.scroll(.dragging, 1200)
        tester.expect("impact", "bottom triggered by finger")
        tester.scroll(.ended, 1200)
        tester.finish(2, .success, count: 10)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("With `reject`, neither a request nor a drag to the end loads a page")
    func moreRejected() {
        var tester = Self.refreshing(.reject)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expectNothing()
        tester.drag(to: 900)
        tester.scroll(.dragging, 1200)
        tester.scroll(.ended, 1200)
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("With `concurrent`, a page loads during a refresh and is dropped if the refresh succeeds")
    func moreBeside() {
        var tester = Self.refreshing(.concurrent)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 2 offset 10 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.finish(3, .failed)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after cancelled", "end 1.3 more cancelled")
    }
}
