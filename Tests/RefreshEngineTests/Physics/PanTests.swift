import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Lists that the engine moves. The viewport has 800 points, and the content has 2,000 points.
@Suite("Pan")
struct PanTests {
    private static func banded(_ distance: Double) -> Double {
        Damping(curve: .uiscrollview, viewport: 800, length: 60).overshoot(distance: distance)
    }

    @Test("Inside the content the list follows the finger one to one, by a command for each sample")
    func oneToOne() {
        var tester = EngineTester(offset: 500)
        tester.pan(.began, 0)
        tester.pan(.dragging, -40)
        tester.expect("offset 540")
        tester.pan(.dragging, -40)
        tester.pan(.dragging, 25)
        tester.expect("offset 475")
        tester.pan(.ended, 30)
        tester.expect("offset 470")
        #expect(tester.engine.nextDeadline == nil)
        #expect(tester.engine.gesture.phase == .resting)
    }

    @Test(
        "Beyond the top the list resists. The release refreshes, and the list springs to the room"
    )
    func pull() {
        var tester = EngineTester()
        tester.pan(.began, 0)
        tester.pan(.dragging, 100)
        let shown = Self.banded(100)
        tester.expect("offset \(-shown)", "top pulling \(shown / 60)")
        tester.pan(.dragging, 200)
        tester.expect(
            "offset \(-Self.banded(200))", "top pulling 1", "top eligible 1", "selection")
        tester.pan(.ended, 200)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10",
            "offset -60 by flight")
        tester.passDeadline()
        #expect(tester.engine.gesture.phase == .resting)
        #expect(tester.engine.offset == -60)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test("An unarmed pull ends at the release, and the list springs back")
    func unarmed() {
        var tester = EngineTester()
        tester.pan(.began, 0)
        tester.pan(.dragging, 50)
        tester.skip()
        tester.pan(.ended, 50)
        tester.expect("top idle", "offset 0 by flight")
        tester.passDeadline()
        #expect(tester.engine.offset == 0)
    }

    @Test(
        "A cancelled or lost finger ends the pull; the list springs back", arguments: [true, false])
    func cancelled(isLost: Bool) {
        var tester = EngineTester()
        tester.pan(.began, 0)
        tester.pan(.dragging, 300)
        tester.skip()
        if isLost { tester.passDeadline() } else { tester.pan(.cancelled, 300) }
        tester.expect("top pulling 1", "top idle", "offset 0 by flight")
        tester.pan(.ended, 300)
        tester.passDeadline()
        tester.expect(top: .idle)
    }

    @Test("A finger can catch a list that springs back, without a jump of the list")
    func catchSpring() throws {
        var tester = EngineTester()
        tester.pan(.began, 0)
        tester.pan(.dragging, 80)
        tester.skip()
        tester.pan(.ended, 80)
        tester.skip()
        let flight = try #require(tester.engine.flight)
        tester.pan(.began, 0, after: 125)
        let caught = flight.offset(at: tester.now)
        #expect(caught > flight.origin + 10 && caught < -5)
        tester.expect("offset \(caught)", "top pulling \(-caught / 60)")
        #expect(tester.engine.flight == nil)
        tester.pan(.dragging, 0)
        #expect(abs(tester.engine.offset - caught) < 1e-9)
        tester.skip()
        tester.pan(.ended, 0)
        tester.expect("top idle", "offset 0 by flight")
        tester.passDeadline()
    }

    @Test("If a refresh ends while the list springs back, the list continues to the top")
    func finishInSpring() {
        var tester = EngineTester()
        tester.pan(.began, 0)
        tester.pan(.dragging, 300)
        tester.skip()
        tester.pan(.ended, 300)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 by flight", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
        tester.passDeadline()
        #expect(tester.engine.offset == 0)
    }

    @Test("If a refresh ends under the finger, the list stays, and the release closes the room")
    func finishUnderFinger() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.pan(.began, 0)
        tester.pan(.dragging, 300)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.pan(.ended, 300)
        tester.expect("top pulling 1", "top idle", "offset 0 by flight")
        tester.passDeadline()
    }

    @Test("`dragging` without `began` catches the list; `ended` without a caught list is ignored")
    func lostBegan() {
        var tester = EngineTester(offset: 500)
        tester.pan(.ended, 40)
        tester.pan(.dragging, 40)
        tester.pan(.dragging, 60)
        tester.expect("offset 480")
        tester.pan(.ended, 60)
    }

    @Test("A pan to the end requests a page. After the release, the list shows the room at its end")
    func end() {
        var tester = EngineTester(offset: 1100)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.pan(.began, 0)
        tester.pan(.dragging, -300)
        let overshoot = Self.banded(200)
        tester.expect(
            "offset \(1200 + overshoot)", "impact", "bottom loading by finger",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.pan(.ended, -300)
        tester.expect("inset bottom 60 in 100", "offset 1260 by flight")
        tester.passDeadline()
        tester.finish(2, .failed)
        tester.expect(
            "inset bottom 0 in 100", "bottom failed after failed", "offset 1200 by flight",
            "end 1.2 more failed")
        tester.passDeadline()
        #expect(tester.engine.offset == 1200)
    }

    @Test("If sizes change at rest, the engine keeps its list in the range")
    func rangeChanges() {
        var tester = EngineTester(.iq(), .sizes(top: 88))
        tester.pan(.began, 0)
        tester.pan(.dragging, 50)
        tester.skip()
        tester.pan(.ended, 50)
        tester.skip()
        tester.change(top: 20)
        tester.expect("offset -20 by flight")
        tester.passDeadline()
        tester.change(top: 60)
        tester.expect("offset -60")
        tester.pan(.began, 0)
        tester.pan(.dragging, -1000)
        tester.expect("offset 940")
        tester.pan(.ended, -1000)
        tester.change(content: 1000)
        tester.expect("offset 200 by flight")
        tester.passDeadline()
        #expect(tester.engine.offset == 200)
    }

    @Test("A scroll sample takes over the list and ends the pan")
    func scrollTakesOver() {
        var tester = EngineTester(offset: 500)
        tester.pan(.began, 0)
        tester.scroll(.idle, 520)
        tester.pan(.ended, -10)
        tester.pan(.dragging, -20)
        tester.pan(.dragging, -30)
        tester.expect("offset 530")
        tester.pan(.ended, -30)
    }
}
