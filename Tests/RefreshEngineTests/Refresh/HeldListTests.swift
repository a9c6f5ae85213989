import RefreshProtocol
import Testing

@testable import RefreshEngine

/// A finger on a list that a refresh has moved down: position is not intent (rule 1).
@Suite("A list that is held open")
struct HeldListTests {
    /// A finger lies on the list at -60, where the refresh that has just ended had moved it.
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

    @Test("A touch without a pull fires nothing when the refresh ends under it")
    func touch() {
        var tester = Self.heldWhileARefreshEnds()
        tester.scroll(.dragging, -60)
        tester.scroll(.dragging, -66)
        tester.scroll(.ended, -66)
        tester.expect("inset top 0 in 100")
        #expect(tester.engine.refresh.phase == .idle)
    }

    @Test("A finger that pulls it farther pulls it, and the release fires")
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

    @Test("A finger that has been back at the top pulls anew")
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

    @Test("The end of a visual refresh under a finger fires no action: begin never does")
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

    @Test("The same holds for a panned list that the finger does not move")
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
