import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that the engine does not have the known defects of four other implementations of
/// pull-to-refresh: MRefresh (MR), Jackrabbit (JR), IQPullToRefresh (IQ) and AppCoda's (AC), which
/// animates the letters of a label. Each test sentence begins with the numbers of the defects. A
/// number with `O-` names a verdict: the recorded judgement of one behaviour of an original
/// (`Verdict` in OracleTests.swift).
@Suite("Defects of the original controls")
struct ControlDefectTests {
    @Test("B-IQ-6: Before its first event an edge is idle and does not block the other edge")
    func iq6() {
        var tester = EngineTester()
        #expect(tester.engine.refresh.phase == .idle)
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.expect(top: .idle, bottom: .loading(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("B-IQ-17: After a short last page the load-more edge shows `noMore` at once")
    func iq17() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(2, .success, count: 3)
        tester.expect(
            "inset bottom 0 in 100", "bottom noMore after success", "end 1.2 more success",
            "list 13")
    }

    @Test("B-IQ-18: In a right-to-left view the refresh edge is on the right")
    func iq18() {
        var sizes = GeometryChange()
        sizes.viewport = SizeChange(width: 800, height: 390)
        sizes.content = SizeChange(width: 2000, height: 390)
        sizes.direction = .rightToLeft
        sizes.insets = EdgeInsets(left: 7, right: 20)
        var tester = EngineTester(.iq { $0.layout.axis = .horizontal }, sizes)
        #expect(tester.engine.physicalOffset == 1220)
        tester.scroll(.began, 1220)
        tester.scroll(.dragging, 1250)
        tester.expect("top pulling 0.5")
        tester.scroll(.cancelled, 1250)
        tester.scroll(.idle, 1220)
        tester.expect("top idle")
    }

    @Test(
        "B-MR-1, O-MR-3, O-MR-4: A list at rest is not pulled by a safe area or changed insets"
    )
    func mr1() {
        var tester = EngineTester(.of(.mrefresh2), .sizes(safeTop: 88))
        tester.scroll(.began, -88)
        tester.scroll(.dragging, -128)
        tester.expectNothing()
        tester.scroll(.dragging, -178)
        tester.expect("top pulling 0.5")
        tester.scroll(.cancelled, -178)
        tester.scroll(.idle, -88)
        tester.skip()
        tester.scroll(.decelerating, -88)
        tester.skip()
        tester.change(safeTop: 32)
        tester.scroll(.began, -32)
        tester.skip()
        tester.scroll(.dragging, -122)
        tester.expect("top pulling 0.5")
        tester.scroll(.cancelled, -122)
        tester.skip()
    }

    @Test(
        "B-MR-4, O-MR-7: During a load, scrolling sets no insets, and the host's insets are kept"
    )
    func mr4() {
        var tester = EngineTester(.of(.mrefresh))
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -111)
        tester.skip()
        tester.scroll(.ended, -111)
        tester.expect("inset top 80 in 300")
        for place in stride(from: -111.0, through: -80, by: 1) {
            tester.scroll(.decelerating, place)
        }
        tester.change(top: 20)
        tester.scroll(.idle, -100)
        tester.expectNothing()
        tester.finish(1, .success, count: 10)
        tester.expect(
            "top idle after success", "inset top 0 in 300", "offset -20 in 300",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test(
        "B-MR-5, O-MR-9: An edge can be disabled, removed and restored, and reports a failed load"
    )
    func mr5() {
        var tester = EngineTester(.of(.mrefresh))
        tester.send(.edgeEnabled(.refresh, false))
        tester.expect("top disabled")
        tester.drag(to: -150)
        tester.expectNothing()
        tester.scroll(.ended, -150)
        tester.scroll(.idle, 0)
        let options = tester.engine.options
        tester.send(.edgesConfigured(refresh: nil, loadMore: options.loadMore))
        tester.send(.edgesConfigured(refresh: Profile.mrefresh.refresh, loadMore: options.loadMore))
        tester.expect("top idle")
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 80 in 300", "offset -80 in 300",
            "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(1, .failed)
        tester.expect(
            "top idle after failed", "inset top 0 in 300", "offset 0 in 300",
            "end 1.1 refresh failed")
    }

    @Test("B-JR-7: A refresh that the app's code requests is shown without a scroll event")
    func jr7() {
        var tester = EngineTester(.of(.jackrabbit))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "offset -100 in 300",
            "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test(
        "B-JR-8: A failed load and a load that never ends are reported, and can be retried",
        arguments: [LoadResult.failed, .timedOut])
    func jr8(result: LoadResult) {
        var tester = EngineTester(.of(.jackrabbit))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        if result == .failed {
            tester.finish(1, .failed)
        } else {
            tester.passDeadline()
        }
        let texts = tester.take()
        #expect(texts.contains("end 1.1 refresh \(result)"))
        #expect(texts.contains { $0.hasPrefix("top") && $0.hasSuffix("after \(result)") })
        tester.send(.retryRequested(nil))
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("B-AC-1: During the animation of the letters, a second refresh can begin and end")
    func ac1() {
        var tester = EngineTester(.of(.appcoda))
        tester.drag(to: -60)
        tester.skip()
        tester.scroll(.ended, -60)
        tester.send(.loadEnded(LoadID(1), LoadEnding(.success, count: 10)), after: 1700)
        tester.skip()
        tester.expect(top: .finishing)
        tester.scroll(.idle, 0)
        tester.scroll(.began, 0)
        tester.expect("top idle")
        tester.scroll(.dragging, -60)
        tester.expect(
            "top refreshing by finger",
            "load 1.2 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.passDeadline()
        tester.skip()
        tester.scroll(.cancelled, -60)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.skip()
        tester.expect(top: .idle)
    }

    @Test("B-AC-2: The load also begins if the list does not decelerate or the program requests it")
    func ac2() {
        var tester = EngineTester(.of(.appcoda) { $0.refresh?.trigger = .release })
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.ended, -70)
        tester.expect(
            "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.idle, -70)
        tester.finish(1, .cancelled)
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: true), after: 5000)
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("B-AC-3: The load begins when the edge fires, not at the end of the bounce")
    func ac3() {
        var tester = EngineTester(.of(.appcoda))
        tester.drag(to: -60)
        tester.expect(
            "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
        tester.scroll(.cancelled, -60)
        tester.skip()
    }

    @Test(
        "B-AC-4: An animation of the letters after the load delays no item, state or page")
    func ac4() {
        var tester = EngineTester(.of(.appcoda))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        tester.send(.loadEnded(LoadID(1), LoadEnding(.success, count: 10)), after: 4000)
        tester.expect(
            "offset 0 in 300", "top finishing after success", "end 1.1 refresh success",
            "list 10 and more")
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.expect(top: .finishing, bottom: .loading(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.passDeadline()
        tester.expect("top idle")
        // The animation repeats every 1,650 ms, so its third cycle ends 4,950 ms after its
        // beginning.
        #expect(tester.now == Instant(milliseconds: 1016 + 4950))
    }
}
