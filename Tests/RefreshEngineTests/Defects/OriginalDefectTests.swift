import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that the engine does not have the defects of the originals. The originals are the
/// libraries whose behaviour the profiles reproduce. Each test sentence begins with the numbers of
/// the defects. A number with `O-` names a verdict: the recorded judgement of one behaviour of an
/// original (`Verdict` in OracleTests.swift).
@Suite("Defects of the originals")
struct OriginalDefectTests {
    @Test("B-IQ-1: A finger that stays beyond the threshold fires once, even if loads end then")
    func iq1() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -80)
        tester.skip()
        for _ in 0..<3 {
            tester.finish(1, .success, count: 10)
            tester.skip()
            tester.scroll(.dragging, -85)
            tester.skip()
            tester.scroll(.dragging, -80)
            #expect(tester.engine.refresh.phase == .pulling(progress: 1))
        }
        tester.scroll(.cancelled, 0)
        tester.skip()
    }

    @Test("B-IQ-2: An armed pull that is released without inertia fires")
    func iq2() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -60)
        tester.expect(top: .refreshing(LoadID(1)))
        tester.skip()
        tester.scroll(.idle, -60)
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("B-IQ-3: A fling that reaches the end requests the next page")
    func iq3() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 500)
        tester.scroll(.ended, 520)
        tester.scroll(.decelerating, 1210)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.skip()
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-4, O-IQ-17: With a fractional bottom inset, a page is requested exactly at the end")
    func iq4() {
        var tester = EngineTester(.iq(), .sizes(bottom: 34.33))
        tester.loadFirstPage()
        tester.drag(to: 1234.33)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.skip()
        tester.finish(2, .cancelled)
        tester.skip()
        tester.scroll(.cancelled, 1234.33)
        tester.skip()
    }

    @Test("B-IQ-5: With a fractional top inset, a list at rest is not pulled, and its end can load")
    func iq5() {
        var tester = EngineTester(.iq(), .sizes(content: 740, safeTop: 47.67))
        tester.loadFirstPage()
        tester.scroll(.began, -47.67)
        tester.expect("bottom approaching 1")
        tester.expect(top: .idle, bottom: .approaching(progress: 1))
        tester.scroll(.dragging, -47)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.skip()
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-7, O-IQ-5: Two requests to refresh before the load has begun cause one load")
    func iq7() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.pullAndRelease(to: -80)
        tester.expectNothing()
        tester.expect(top: .triggered(LoadID(1)))
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("B-IQ-8: Options that change during a refresh leave no inset behind")
    func iq8() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.edgesConfigured(refresh: nil, loadMore: tester.engine.options.loadMore))
        tester.skip()
        #expect(tester.engine.insets == InsetLedger())
    }

    @Test("B-IQ-9, O-IQ-7: If `length` changes in a refresh, only the added inset is removed")
    func iq9() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        var options = tester.engine.options.refresh
        options?.length = 120
        tester.send(.edgesConfigured(refresh: options, loadMore: tester.engine.options.loadMore))
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test(
        "B-IQ-10, O-IQ-2: After a failed or cancelled refresh, the end of the list requests a page",
        arguments: [
            LoadResult.failed, .cancelled, .timedOut,
        ])
    func iq10(result: LoadResult) {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, result)
        tester.skip()
        tester.drag(to: 1200)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(3)))
        tester.skip()
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-11, O-IQ-6: Hiding the indicator ends a refresh at once, and a page can then load")
    func iq11() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect(
            "inset top 0", "offset 0", "top idle after cancelled", "end 1.2 refresh cancelled")
        tester.send(.loadMoreRequested(cause: .code))
        #expect(tester.engine.loadMore.phase == .loading(LoadID(3)))
        tester.skip()
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-12, O-IQ-4: A page of the old list is never added to the new list")
    func iq12() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.expect(top: .idle, bottom: .loading(LoadID(4)))
        tester.finish(4, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.4 more success",
            "list 20 and more")
    }

    @Test("B-IQ-13, O-IQ-3: A page that a refresh has cancelled does not affect that refresh")
    func iq13() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("B-IQ-14: After a page larger than requested, another page can be requested")
    func iq14() {
        var tester = EngineTester()
        tester.loadFirstPage(count: 25)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.2 more manual by code, page 2 offset 25 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("B-IQ-15, O-IQ-10: A load that ends without a report of its beginning ends the refresh")
    func iq15() {
        var tester = EngineTester(.uikit { $0.isClientBacked = true })
        tester.drag(to: -60)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.expect(top: .idle)
    }

    @Test("B-IQ-16: Further drags at the end do not request the failed page again")
    func iq16() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        for step in 1...20 { tester.scroll(.dragging, 1200 + Double(step % 3)) }
        tester.scroll(.ended, 1200)
        tester.expect(top: .idle, bottom: .failed)
    }

    @Test("B-IQ-19: With a preload a list at rest shows no pull and requests a page at its end")
    func iq19() {
        var tester = EngineTester(.iq { $0.refresh?.preload = 30 }, .sizes(content: 760))
        tester.loadFirstPage()
        tester.expect(top: .idle)
        tester.scroll(.decelerating, 0, cause: .key)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.expect("top idle")
        tester.send(.loadMoreRequested(cause: .code))
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.skip()
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-20, O-IQ-18: No inset is set under a finger, and a requested refresh is shown")
    func iq20() {
        var tester = EngineTester()
        tester.scroll(.began, 0)
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.scroll(.ended, 0)
        tester.expect("inset top 60 in 100")
        tester.scroll(.idle, 0)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 60 in 100", "offset -60 in 100",
            "load 1.2 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
    }
}
