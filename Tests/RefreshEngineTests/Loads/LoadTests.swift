import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Loads")
struct LoadTests {
    @Test("A load that takes too long ends as timed out, at its deadline and not before")
    func deadline() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.timePassed, after: 29_999.999)
        tester.passDeadline()
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after timedOut",
            "end 1.1 refresh timedOut")
        #expect(tester.engine.nextDeadline == nil)
        tester.finish(1, .success, count: 10)
        tester.expect("late 1.1")
    }

    @Test("Each edge has its own deadline, and the earlier deadline fires first")
    func deadlines() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.scroll(.began, 500)
        #expect(
            tester.engine.nextDeadline?.milliseconds(since: tester.now) == 5000)
        tester.scroll(.cancelled, 500)
        tester.scroll(.idle, 500)
        tester.passDeadline()
        tester.expect(
            "inset bottom 0 in 100", "bottom failed after timedOut", "end 1.2 more timedOut")
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("A refresh cancels a running load-more, and the late page of the load-more is dropped")
    func refreshWins() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.pullAndRelease(to: -64)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "inset bottom 0 in 100", "bottom idle after cancelled", "end 1.2 more cancelled",
            "load 1.3 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.3 refresh success",
            "list 10 and more")
    }

    @Test("While a refresh loads, neither a gesture nor a request loads more")
    func refreshBlocks() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.drag(to: 1200)
        tester.scroll(.ended, 1220)
        tester.scroll(.idle, 1200)
        tester.change(content: 300)
        tester.expect(top: .refreshing(LoadID(2)))
        tester.finish(2, .failed)
        tester.expect("inset top 0 in 100", "top idle after failed", "end 1.2 refresh failed")
    }

    @Test("If the program starts a refresh, an armed load-more edge does not fire")
    func armedThenRefreshed() {
        var tester = EngineTester(.iq { $0.loadMore?.trigger = .release })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.expect("bottom approaching 1", "bottom eligible 1", "selection")
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code",
            "load 1.2 refresh manual by code, page 1 offset 0 size 10", "bottom idle")
        tester.scroll(.decelerating, 1200)
        tester.expect("inset top 60 in 100")
        tester.finish(2, .cancelled)
        tester.expect("inset top 0 in 100", "top idle after cancelled", "end 1.2 refresh cancelled")
    }

    @Test(
        "cancel ends the loads of the named edge, or of both edges if it names none",
        arguments: [
            (EdgeRole?.none, true), (.refresh, true), (.loadMore, false),
        ])
    func cancel(edge: EdgeRole?, ends: Bool) {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.cancelRequested(edge))
        if ends {
            tester.expect(
                "inset top 0 in 100", "offset 0 in 100", "top idle after cancelled",
                "end 1.1 refresh cancelled")
        } else {
            tester.finish(1, .cancelled)
            tester.skip()
        }
        tester.finish(1, .success)
        tester.expect("late 1.1")
        tester.send(.cancelRequested(edge))
    }

    @Test("Answers, starts and progress reports of unknown loads are dropped and counted")
    func unknown() {
        var tester = EngineTester()
        tester.finish(7, .success, count: 10)
        tester.expect("late 1.7")
        tester.send(.loadBegan(LoadID(7), accepted: true))
        tester.expect("late 1.7")
        tester.send(.loadProgressed(LoadID(7)))
        tester.expect("late 1.7")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.loadProgressed(LoadID(1)))
        tester.send(.loadEnded(LoadID(generation: 2, number: 1), LoadEnding(.success)))
        tester.expect("late 2.1")
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("Detaching ends the load in flight and leaves no deadline")
    func detached() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.detached)
        tester.expect("end 1.1 refresh cancelled")
        #expect(tester.engine.nextDeadline == nil)
        tester.finish(1, .success)
        tester.expect("late 1.1")
    }

    @Test("Detaching also ends a load-more")
    func detachedMore() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.detached)
        tester.expect("end 1.2 more cancelled")
        tester.send(.detached)
    }

    @Test("After a page with too few items, the edge is `noMore` until a refresh loads a full page")
    func endAfterRefresh() {
        var tester = EngineTester()
        tester.loadFirstPage(count: 4)
        tester.expect(top: .idle, bottom: .noMore)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.expect(top: .idle, bottom: .noMore)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(3, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.3 refresh success", "list 10 and more", "bottom idle")
    }
}
