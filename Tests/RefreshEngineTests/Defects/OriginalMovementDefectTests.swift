import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that the engine does not have those defects of the originals in which the list does not
/// move or moves wrongly. `OriginalDefectTests` covers the other defects and describes the
/// originals.
@Suite("Defects of the originals in moving the list")
struct OriginalMovementDefectTests {
    @Test("B-KV-1: The end of a refresh does not move a list that the user has scrolled elsewhere")
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

    @Test("B-KV-2: Without bars, the resting offset is the sum of the inset and the safe area")
    func kv2() {
        var tester = EngineTester(.uikit(), .sizes(top: 12, safeTop: 47))
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -119")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -59", "top idle")
    }

    @Test("B-KV-3: An active search bar moves the resting offset up, not into the content")
    func kv3() {
        var tester = EngineTester(.uikit())
        tester.change(bars: Bars(navigationBottom: 64, activeSearch: 52))
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -176")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -116", "top idle")
    }

    @Test("B-MR-2, O-MR-5: A load that ends at the instant at which it began ends the refresh")
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

    @Test("B-MR-3, O-MR-6: The inset is removed when a gesture ends, and also when it is cancelled")
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
