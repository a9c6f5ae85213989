import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Forgetting what was loaded")
struct ResetTests {
    @Test("reset opens an end without more, forgets the pages, and gives up the one that loads")
    func reset() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.moreAsked(cause: .code))
        tester.skip()
        tester.finish(1, .success, count: 3)
        tester.skip()
        #expect(tester.engine.loadMore == .noMore)
        tester.send(.resetAsked(.loadMore))
        tester.expect("list 0 and more", "bottom idle")
        tester.send(.moreAsked(cause: .code))
        tester.expect(
            "bottom triggered by code", "load 1.2 more manual by code, page 1 offset 0 size 10")
        tester.send(.resetAsked(nil))
        tester.expect("bottom idle after cancelled", "end 1.2 more cancelled", "list 0 and more")
    }

    @Test("reset forgets that a refresh failed, and when the last one was")
    func resetRefresh() {
        var tester = EngineTester(.iq { $0.refresh?.staleAfter = 60_000 })
        tester.loadFirstPage()
        tester.send(.refreshAsked(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.send(.resetAsked(.refresh))
        tester.expect("list 10 and more")
        tester.send(.retryAsked(nil))
        tester.expect("refuse nothingToRetry")
        tester.send(.appeared)
        tester.skip()
        #expect(tester.engine.refresh == .refreshing(LoadID(3)))
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test("New paging forgets the pages; the same paging changes nothing")
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
        tester.send(.refreshAsked(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.2 refresh manual by code, page 1 offset 1 size 25")
        tester.finish(2, .success, count: 25)
        tester.skip()
        tester.send(.moreAsked(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 2 offset 26 size 25")
        tester.finish(3, .success)
        tester.skip()
    }

    @Test("A refresh that waited for a page of the old paging begins by the new one")
    func pagingWhileWaiting() {
        var tester = EngineTester(.iq { $0.refresh?.whileLoading = .queue })
        tester.loadFirstPage()
        tester.send(.moreAsked(cause: .code))
        tester.skip()
        tester.send(.refreshAsked(cause: .code, animated: false))
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
