import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Pull to refresh")
struct PullTests {
    private static let load = "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10"

    @Test("A release beyond the threshold refreshes, and the end of the refresh closes the room")
    func release() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -64)
        tester.expect("impact", "top refreshing by finger", "inset top 60 in 100", Self.load)
        tester.expect(top: .refreshing(LoadID(1)))
        tester.scroll(.decelerating, -61)
        tester.scroll(.idle, -60)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
        tester.expect(top: .idle)
    }

    @Test("The threshold is inclusive and exact")
    func threshold() {
        var tester = EngineTester()
        tester.scroll(.began, 0)
        tester.scroll(.dragging, (-60.0).nextUp)
        tester.expect("top pulling \((60.0).nextDown / 60)")
        tester.scroll(.dragging, -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -60)
        tester.expect("impact", "top refreshing by finger", "inset top 60 in 100", Self.load)
        tester.finish(1, .empty)
        tester.expect(
            "inset top 0 in 100", "top idle after empty", "end 1.1 refresh empty", "list 0",
            "bottom noMore")
    }

    @Test("Pulling back disarms the edge with a cue, and the release then has no effect")
    func pullBack() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -30)
        tester.expect("selection", "top pulling 0.5")
        tester.scroll(.ended, -30)
        tester.scroll(.decelerating, -12)
        tester.expect("top pulling 0.2")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
        tester.expect(top: .idle)
    }

    @Test("With the trigger `reach`, the edge fires under the finger, once in the gesture")
    func reach() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.expect("impact", "top refreshing by finger", Self.load)
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.dragging, -70)
        tester.expect("top pulling 1")
        tester.scroll(.dragging, -20)
        tester.expect("top pulling \(20.0 / 60)")
        tester.scroll(.dragging, -90)
        tester.expect("top pulling 1")
        tester.scroll(.ended, -90)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A cancelled gesture disarms the edge and fires nothing")
    func cancelled() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.cancelled, -70)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("If a finger sends no sample for five seconds, its gesture counts as cancelled")
    func silence() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.dragging, -70, after: 4000)
        tester.send(.timePassed, after: 4999)
        tester.passDeadline()
        tester.expect("top pulling 1", "top idle")
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test(
        "The first sample without a finger counts as a lost release",
        arguments: [
            ScrollPhase.decelerating, .idle,
        ])
    func lostRelease(phase: ScrollPhase) {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(phase, -66)
        tester.expect("impact", "top refreshing by finger", "inset top 60 in 100", Self.load)
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test(
        "If a wheel, a key or the program takes the list from a finger, nothing is released",
        arguments: [
            Cause.wheel, .key, .code,
        ])
    func takenAway(cause: Cause) {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.decelerating, 0, cause: cause)
        tester.expect("top pulling 1", "top idle")
    }

    @Test("The bounce of a fling at the top shows a pull and never refreshes")
    func fling() {
        var tester = EngineTester()
        tester.scroll(.began, 300)
        tester.scroll(.dragging, 200)
        tester.scroll(.ended, 180)
        tester.scroll(.decelerating, -90)
        tester.expect("top pulling 1")
        tester.scroll(.decelerating, -15)
        tester.expect("top pulling 0.25")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A movement by the program arms nothing, in any phase")
    func code() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        for phase in [ScrollPhase.began, .dragging, .ended, .decelerating, .idle] {
            tester.scroll(phase, -90, cause: .code)
        }
        tester.scroll(.idle, 0)
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -90, cause: .code)
        tester.expect("top pulling 1")
        tester.scroll(.cancelled, 0)
        tester.expect("top idle")
    }

    @Test("Scrolling in the middle of a list has no effect, and neither has a still finger")
    func silent() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.scroll(.began, 400)
        tester.scroll(.dragging, 500)
        tester.scroll(.ended, 510)
        tester.scroll(.decelerating, 600)
        tester.scroll(.idle, 640)
        tester.drag(to: -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -30, after: 2000)
        tester.change(viewport: 790)
        tester.scroll(.cancelled, -30)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A stray 'cancelled' or 'ended' leaves a resting list at rest")
    func strayPhases() {
        var tester = EngineTester()
        tester.scroll(.cancelled, 0)
        tester.scroll(.ended, 0)
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "inset top 60", "offset -60")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("inset top 0", "offset 0", "top idle")
    }

    @Test("With a preload a drag shows the pull early, and a list at rest shows nothing")
    func preload() {
        var tester = EngineTester(.iq { $0.refresh?.preload = 30 })
        tester.scroll(.began, 0)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -30)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -30)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A disabled edge ignores pulls and is idle when it is enabled again")
    func disabled() {
        var tester = EngineTester(.iq { $0.refresh?.isEnabled = false })
        tester.drag(to: -90)
        tester.scroll(.ended, -90)
        tester.scroll(.idle, 0)
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(top: .disabled)
        tester.send(.edgeEnabled(.refresh, true))
        tester.expect("top idle")
    }

    @Test("An absent edge cannot be enabled", arguments: EdgeRole.allCases)
    func missing(edge: EdgeRole) {
        var tester = EngineTester(
            .iq { options in
                options.refresh = nil
                options.loadMore = nil
            })
        tester.send(.edgeEnabled(edge, true))
        tester.expect("refuse missingEdge")
        tester.expect(top: .disabled, bottom: .disabled)
    }
}
