import RefreshEngine
import RefreshProtocol
import Testing

/// The defects of the originals that move no list, or the wrong way, beside those in
/// `OriginalDefectTests`.
@Suite("Defects of the originals: where the list goes")
struct OriginalMovementDefectTests {
    @Test("B-KV-1: the end of a refresh does not yank back a user who scrolled away")
    func kv1() {
        var tester = EngineTester(.uikit())
        tester.send(.indicatorShowRequested(animated: true))
        tester.skip()
        tester.scroll(.began, -60)
        tester.scroll(.dragging, 200)
        tester.scroll(.ended, 200)
        tester.scroll(.idle, 260)
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("top idle")
    }

    @Test("B-KV-2: the rest is measured from the insets, bars or not")
    func kv2() {
        var tester = EngineTester(.uikit(), .sizes(top: 12, safeTop: 47))
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -119")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -59", "top idle")
    }

    @Test("B-KV-3: an active search bar moves the rest up, not into the content")
    func kv3() {
        var tester = EngineTester(.uikit())
        tester.change(bars: Bars(navigationBottom: 64, activeSearch: 52))
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -176")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -116", "top idle")
    }

    @Test("B-MR-2, O-MR-5: a load that ends in the same breath as it began ends all the same")
    func mr2() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -70)
        tester.skip()
        tester.send(.loadEnded(LoadID(1), LoadEnding(.success, count: 10)), after: 0)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
        tester.scroll(.decelerating, -40)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("B-MR-3, O-MR-6: a cancelled gesture gives the inset back like an ended one")
    func mr3() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -70)
        tester.skip()
        tester.scroll(.began, -60)
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.cancelled, -40)
        tester.expect("inset top 0 in 100")
        tester.scroll(.idle, 0)
        #expect(tester.engine.insets == InsetLedger())
    }
}
