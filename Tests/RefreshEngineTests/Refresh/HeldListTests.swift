import RefreshProtocol
import Testing

@testable import RefreshEngine

/// A finger on a list that a refresh has moved down. The user has not pulled the list there, so its
/// position alone is not a pull.
@Suite("A list that is held open")
struct HeldListTests {
    /// Returns a list with a finger on it at -60. A refresh, which has just ended, had moved the
    /// list there.
    private static func heldWhileARefreshEnds() -> EngineTester {
        var tester = EngineTester()
        tester.pullAndRelease(to: -70)
        tester.skip()
        tester.scroll(.idle, -60)
        tester.scroll(.began, -60)
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        return tester
    }

    @Test("If a refresh ends under a touch without a pull, the release fires nothing")
    func touch() {
        var tester = Self.heldWhileARefreshEnds()
        tester.scroll(.dragging, -60)
        tester.scroll(.dragging, -66)
        tester.scroll(.ended, -66)
        tester.expect("inset top 0 in 100")
        #expect(tester.engine.refresh.phase == .idle)
    }

    @Test("If the finger moves the held list farther, this is a pull, and the release fires")
    func pull() {
        var tester = Self.heldWhileARefreshEnds()
        tester.scroll(.dragging, -90)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -90)
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("After the finger has moved the list back to the top, a further movement is a pull")
    func backAtTheTop() {
        var tester = Self.heldWhileARefreshEnds()
        tester.scroll(.dragging, 0)
        tester.scroll(.dragging, -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.cancelled, -30)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.skip()
    }

    @Test("If an indicator without a load ends under a finger, the release fires nothing")
    func visual() {
        var tester = EngineTester(.uikit())
        tester.send(.indicatorShowRequested(animated: false))
        tester.skip()
        let revealed = tester.engine.offset
        tester.scroll(.began, revealed)
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("top idle")
        tester.scroll(.dragging, revealed)
        tester.scroll(.ended, revealed)
        #expect(tester.engine.refresh.phase == .idle)
        #expect(tester.engine.refresh.load == nil)
    }

    @Test("If a refresh ends under a pan that does not move the list, the release fires nothing")
    func pan() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.panned(PanSample(translation: 0, phase: .began)))
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.send(.panned(PanSample(translation: 0, phase: .dragging)))
        tester.send(.panned(PanSample(translation: 0, phase: .ended)))
        tester.skip()
        #expect(tester.engine.refresh.phase == .idle)
    }
}
