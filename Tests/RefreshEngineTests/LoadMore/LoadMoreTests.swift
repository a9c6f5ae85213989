import RefreshEngine
import RefreshProtocol
import Testing

/// The list ends at the offset 1200; its zone begins at 1140.
@Suite("Load more")
struct LoadMoreTests {
    private static let load = "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10"

    @Test("A drag to the end requests the next page once, and the edge is idle after its success")
    func reach() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1170)
        tester.expect("bottom approaching 0.5")
        tester.scroll(.dragging, 1200)
        tester.expect("impact", "bottom loading by finger", Self.load)
        tester.scroll(.dragging, 1230)
        tester.scroll(.ended, 1230)
        tester.expect("inset bottom 60 in 100")
        tester.scroll(.idle, 1260)
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "list 20 and more")
        tester.expect(top: .idle)
    }

    @Test("With the trigger `release`, the edge arms at the threshold and fires at the release")
    func release() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.trigger = .release
                options.loadMore?.mode = .user
            })
        tester.loadFirstPage()
        tester.drag(to: 1260)
        tester.expect("bottom approaching 1", "bottom eligible 1", "selection")
        tester.scroll(.dragging, 1230)
        tester.expect("selection", "bottom approaching 0.5")
        tester.scroll(.dragging, 1265)
        tester.expect("bottom approaching 1", "bottom eligible 1", "selection")
        tester.scroll(.ended, 1265)
        tester.expect("impact", "bottom loading by finger", "inset bottom 60 in 100", Self.load)
        tester.finish(2, .success, count: 3)
        tester.expect(
            "inset bottom 0 in 100", "bottom noMore after success", "end 1.2 more success",
            "list 13")
    }

    @Test(
        "A fling, a wheel or a key that reaches the end requests a page",
        arguments: [
            Cause.finger, .wheel, .key, .accessibility,
        ])
    func coasting(cause: Cause) {
        var tester = EngineTester()
        tester.loadFirstPage()
        if cause == .finger {
            tester.drag(to: 700)
            tester.scroll(.ended, 720)
        }
        tester.scroll(.decelerating, 1100, cause: cause)
        tester.scroll(.decelerating, 1200, cause: cause)
        tester.expect(
            "impact", "bottom loading by \(cause)", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by \(cause), page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A list that the program moved to its end requests no page, in any phase")
    func code() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 700)
        tester.scroll(.ended, 700)
        tester.scroll(.idle, 1200, cause: .code)
        for phase in [ScrollPhase.began, .dragging, .ended, .decelerating, .idle] {
            tester.scroll(phase, 1100, cause: .code)
            tester.scroll(phase, 1200, cause: .code)
        }
        tester.expect(top: .idle)
    }

    @Test("If the viewport becomes empty, an armed edge requests no page")
    func unmeasured() {
        var tester = EngineTester(.iq { $0.loadMore?.trigger = .release })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.expect("bottom approaching 1", "bottom eligible 1", "selection")
        tester.change(viewport: 0)
        tester.expect("bottom idle")
        tester.scroll(.ended, 1200)
        tester.scroll(.idle, 1200)
        tester.expect(top: .idle)
    }

    @Test("With the mode `user`, a fling beyond the end shows `approaching` and requests no page")
    func userFling() {
        var tester = EngineTester(.iq { $0.loadMore?.mode = .user })
        tester.loadFirstPage()
        tester.drag(to: 1000)
        tester.scroll(.ended, 1000)
        tester.scroll(.decelerating, 1290)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
    }

    @Test(
        "A list that comes to rest within half a point of its end requests a page",
        arguments: [
            (1199.6, true), (1199.4, false),
        ])
    func rest(offset: Double, asks: Bool) {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1100)
        tester.scroll(.ended, 1100)
        tester.scroll(.idle, offset)
        if asks {
            tester.expect("impact", "bottom loading by finger", "inset bottom 60 in 100", Self.load)
            tester.finish(2, .cancelled)
            tester.skip()
        }
        tester.expect(top: .idle)
    }

    @Test(
        "Before the first page no next page is requested, except in a client-backed view",
        arguments: [
            true, false,
        ])
    func firstPage(isClientBacked: Bool) {
        var tester = EngineTester(.iq { $0.isClientBacked = isClientBacked })
        tester.drag(to: 1200)
        if isClientBacked {
            tester.expect(
                "impact", "bottom loading by finger",
                "load 1.1 more reachAtEnd by finger, page 1 offset 0 size 10")
            tester.send(.loadBegan(LoadID(1), accepted: false))
            tester.expect("bottom idle after refused", "end 1.1 more refused")
        } else {
            tester.expect("bottom approaching 1")
            tester.scroll(.idle, 1200)
            tester.expect("bottom idle")
        }
    }

    @Test(
        "A failed page is requested again only by `retry` or after the list has left the zone",
        arguments: [
            LoadResult.failed, .timedOut,
        ])
    func failure(result: LoadResult) {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, result)
        tester.expect("bottom failed after \(result)", "end 1.2 more \(result)")
        tester.scroll(.dragging, 1190)
        tester.scroll(.dragging, 1210)
        tester.scroll(.ended, 1210)
        tester.scroll(.idle, 1200)
        tester.drag(to: 1230)
        tester.scroll(.ended, 1230)
        tester.scroll(.idle, 1200)
        tester.change(viewport: 800)
        tester.expect(top: .idle, bottom: .failed)
        tester.send(.retryRequested(nil))
        tester.expect(
            "bottom loading by retry", "inset bottom 60 in 100",
            "load 1.3 more manual by retry, page 2 offset 10 size 10 attempt 2")
        tester.finish(3, .failed)
        tester.expect("inset bottom 0 in 100", "bottom failed after failed", "end 1.3 more failed")
        tester.drag(to: 1000)
        tester.expect("bottom idle")
        tester.scroll(.dragging, 1200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.4 more reachAtEnd by finger, page 2 offset 10 size 10 attempt 3")
        tester.finish(4, .success, count: 10)
        tester.expect("bottom idle after success", "end 1.4 more success", "list 20 and more")
    }

    @Test("A cancelled page is requested again only after the list has left the zone")
    func cancelledOnce() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.send(.cancelRequested(.loadMore))
        tester.expect("bottom idle after cancelled", "end 1.2 more cancelled")
        tester.scroll(.ended, 1200)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
        tester.change(viewport: 800)
        tester.scroll(.began, 1200)
        tester.expect("bottom approaching 1")
        tester.scroll(.dragging, 1210)
        tester.scroll(.dragging, 1000)
        tester.expect("bottom idle")
        tester.scroll(.dragging, 1200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(3, .noMore)
        tester.expect("bottom noMore after noMore", "end 1.3 more noMore", "list 10")
    }

    @Test("loadMore requests a page if no load runs and the list has a further page")
    func byRequest() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.2 more manual by code, page 2 offset 10 size 10")
        tester.send(.loadMoreRequested(cause: .code))
        tester.finish(2, .success, count: 4)
        tester.expect(
            "inset bottom 0 in 100", "bottom noMore after success", "end 1.2 more success",
            "list 14")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(top: .idle, bottom: .noMore)
    }

    @Test("Short content requests at most fillPagesMax pages in a row")
    func fill() {
        var tester = EngineTester(.iq { $0.loadMore?.fillPagesMax = 2 }, .sizes(content: 0))
        tester.loadFirstPage()
        tester.change(content: 300)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by fill, page 2 offset 10 size 10")
        tester.change(content: 300)
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "list 20 and more")
        tester.change(content: 500)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by fill, page 3 offset 20 size 10")
        tester.finish(3, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.3 more success",
            "list 30 and more")
        tester.change(content: 700)
        tester.expect(top: .idle)
    }

    @Test("Content that fills the viewport or is complete requests no page automatically")
    func full() {
        var tester = EngineTester(.iq(), .sizes(content: 0))
        tester.loadFirstPage()
        tester.change(content: 1000)
        tester.change(content: 900)
        tester.expect(top: .idle)
        var short = EngineTester(.iq(), .sizes(content: 0))
        short.loadFirstPage(count: 4)
        short.change(content: 300)
        short.change(content: 1000)
        short.change(content: 300)
        short.expect(top: .idle, bottom: .noMore)
    }

    @Test("With asksAgain, the next gesture at the end requests again after the back-off")
    func asksAgain() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.asksAgain = true
                options.loadMore?.backOff = 1000
            })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.scroll(.dragging, 1230, after: 1500)
        tester.scroll(.ended, 1230)
        tester.scroll(.idle, 1200)
        tester.expect(top: .idle, bottom: .failed)
        tester.scroll(.began, 1200)
        tester.scroll(.dragging, 1199)
        tester.expectNothing()
        tester.scroll(.dragging, 1205)
        tester.expect(
            "bottom idle", "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 2 offset 10 size 10 attempt 2")
        tester.finish(3, .failed)
        tester.skip()
        tester.scroll(.ended, 1205)
        tester.scroll(.idle, 1200)
        tester.skip()
        // After the second failure the back-off is twice as long.
        tester.drag(to: 1205)
        tester.scroll(.dragging, 1206, after: 1000)
        tester.expectNothing()
        tester.scroll(.dragging, 1207, after: 1000)
        tester.skip()
        tester.expect(top: .idle, bottom: .loading(LoadID(4)))
        tester.finish(4, .success, count: 10)
        tester.skip()
    }

    @Test("With the trigger `release`, a failed edge is armed again and fires at the release")
    func armsAgain() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.trigger = .release
                options.loadMore?.asksAgain = true
            })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.scroll(.ended, 1200)
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.scroll(.idle, 1200)
        tester.skip()
        tester.scroll(.began, 1200)
        tester.scroll(.dragging, 1210)
        tester.expect("bottom idle", "bottom approaching 1", "bottom eligible 1", "selection")
        tester.scroll(.dragging, 1180)
        tester.expect("selection", "bottom approaching \(40.0 / 60)")
        tester.scroll(.dragging, 1205)
        tester.expect("bottom approaching 1", "bottom eligible 1", "selection")
        tester.scroll(.ended, 1205)
        tester.skip()
        tester.expect(top: .idle, bottom: .loading(LoadID(3)))
        tester.finish(3, .cancelled)
        tester.skip()
    }
}
