import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Reset")
struct ResetTests {
    @Test("`reset` ends `noMore`, discards the pages and cancels the load of a page")
    func reset() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(1, .success, count: 3)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .noMore)
        tester.send(.resetRequested(.loadMore))
        tester.expect("list 0 and more", "bottom idle")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom triggered by code", "load 1.2 more manual by code, page 1 offset 0 size 10")
        tester.send(.resetRequested(nil))
        tester.expect("bottom idle after cancelled", "end 1.2 more cancelled", "list 0 and more")
    }

    @Test("`reset` clears the failure of a refresh and the time of the last refresh")
    func resetRefresh() {
        var tester = EngineTester(.iq { $0.refresh?.staleAfter = 60_000 })
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.send(.resetRequested(.refresh))
        tester.expect("list 10 and more")
        tester.send(.retryRequested(nil))
        tester.expect("refuse nothingToRetry")
        tester.send(.appeared)
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(3)))
        tester.finish(3, .cancelled)
        tester.skip()
    }

    /// Returns a list that has its first page, and whose refresh is load 2.
    private static func refreshing(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(.iq(change))
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        return tester
    }

    @Test(
        "`reset` cancels a running refresh and drops its answer; the next page is the first one"
    )
    func resetWhileRefreshing() {
        var tester = Self.refreshing()
        tester.send(.resetRequested(nil))
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after cancelled",
            "end 1.2 refresh cancelled", "list 0 and more")
        tester.expect(top: .idle)
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.send(.retryRequested(nil))
        tester.expect("refuse nothingToRetry")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 1 offset 0 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A reset of one edge does not affect the load of the other edge")
    func resetOfOneEdge() {
        var tester = Self.refreshing()
        tester.send(.resetRequested(.loadMore))
        tester.expect("list 0 and more")
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(2)))
        tester.send(.resetRequested(.refresh))
        #expect(tester.take().contains("end 1.2 refresh cancelled"))
        var other = EngineTester(.iq { $0.isClientBacked = true })
        other.send(.loadMoreRequested(cause: .code))
        other.skip()
        other.send(.resetRequested(.refresh))
        other.expect("list 0 and more")
        #expect(other.engine.loadMore.phase == .triggered(LoadID(1)))
        other.finish(1, .success, count: 10)
        other.skip()
    }

    @Test("`reset` cancels a silent refresh, and the client does not learn of newer items")
    func resetWhileSilent() {
        var tester = EngineTester(.iq { $0.refresh?.changes = .silent })
        tester.loadFirstPage()
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.resetRequested(nil))
        tester.expect("end 1.2 refresh cancelled", "list 0 and more")
        #expect(!tester.engine.hasNewer)
    }

    @Test("`reset` cancels the load of a page, and the refresh that waits for this load")
    func resetWhileWaiting() {
        var tester = EngineTester(.iq { $0.refresh?.whileLoading = .queue })
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect("top triggered by code")
        tester.send(.resetRequested(nil))
        tester.expect(
            "top idle", "inset bottom 0 in 100",
            "bottom idle after cancelled", "end 1.2 more cancelled", "list 0 and more")
        tester.expect(top: .idle)
    }

    @Test("If a reset cancels the refresh, the load of a page that waited for it begins")
    func resetBeforeAPage() {
        var tester = Self.refreshing { $0.loadMore?.whileRefreshing = .queue }
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect("bottom triggered by code")
        tester.send(.resetRequested(.refresh))
        #expect(
            tester.take().last == "load 1.3 more manual by code, page 2 offset 10 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("New paging options discard the pages, and equal ones change nothing")
    func paging() {
        var tester = EngineTester()
        tester.loadFirstPage()
        let options = tester.engine.options
        tester.send(
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore, paging: options.paging))
        tester.expectNothing()
        let other = PagingOptions(style: .offset, first: 1, size: 25)
        tester.send(
            .edgesConfigured(refresh: options.refresh, loadMore: options.loadMore, paging: other))
        tester.expect("list 0 and more")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.2 refresh manual by code, page 1 offset 1 size 25")
        tester.finish(2, .success, count: 25)
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 2 offset 26 size 25")
        tester.finish(3, .success)
        tester.skip()
    }

    @Test("A refresh that waited for a page of the old paging begins with the new paging")
    func pagingWhileWaiting() {
        var tester = EngineTester(.iq { $0.refresh?.whileLoading = .queue })
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        let options = tester.engine.options
        tester.send(
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore,
                paging: PagingOptions(style: .offset, first: 1, size: 25)))
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after cancelled", "end 1.2 more cancelled",
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.3 refresh manual by code, page 1 offset 1 size 25", "list 0 and more")
        tester.finish(3, .success)
        tester.skip()
    }
}
