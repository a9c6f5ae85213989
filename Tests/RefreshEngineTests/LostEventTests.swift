import RefreshEngine
import RefreshProtocol
import Testing

/// Clients whose messages are lost, and clients or drivers that are suspended for minutes. The
/// driver is the code that calls the engine.
@Suite("Lost and late events")
struct LostEventTests {
    private static let load = "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10"

    @Test("If a finger touches again after a lost release, the first touch counts as cancelled")
    func lostEnd() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.began, 0)
        tester.expect("top idle")
        tester.scroll(.dragging, -70)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -70)
        tester.skip()
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("If the end of a gesture is lost, the withheld insets are sent at the gesture's timeout")
    func withheld() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.expect("impact", "top refreshing by finger", Self.load)
        tester.passDeadline()
        tester.expect("inset top 60 in 100")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("Before the timeout a still finger keeps its gesture")
    func stillFinger() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        for _ in 0..<150 { tester.scroll(.dragging, -70, after: 2000) }
        tester.scroll(.ended, -70)
        tester.expect("impact", "top refreshing by finger", "inset top 60 in 100", Self.load)
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("After minutes of suspension the list is at rest and the load has ended")
    func suspended() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.skip()
        tester.passDeadline()
        tester.skip()
        tester.passDeadline()
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after timedOut",
            "end 1.1 refresh timedOut")
        #expect(tester.engine.nextDeadline == nil)
        tester.scroll(.dragging, -30, after: 300_000)
        tester.expect("top pulling 0.5")
        tester.scroll(.ended, -30)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("After a suspension, the engine handles all passed deadlines at the first events")
    func lateDriver() {
        var tester = EngineTester(.of(.default))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        tester.scroll(.began, -64)
        tester.scroll(.dragging, -64, after: 600_000)
        tester.expectNothing()
        tester.send(.timePassed, after: 600_000)
        tester.skip()
        #expect(tester.engine.refresh.load == nil)
        while tester.engine.nextDeadline != nil {
            tester.passDeadline()
            tester.skip()
        }
        tester.expect(top: .idle)
        #expect(tester.engine.insets.sentStart == 0)
        #expect(tester.engine.offset == 0)
    }

    @Test("A late sample of an ended gesture does not resume that gesture")
    func stale() {
        var tester = EngineTester()
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.cancelled, -70)
        tester.skip()
        tester.scroll(.ended, -70)
        tester.scroll(.cancelled, -70)
        tester.expectNothing()
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test(
        "A wheel gesture whose end is lost ends with the next idle sample or the next finger")
    func wheel() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.scroll(.decelerating, 900, cause: .wheel)
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.skip()
        tester.expect(top: .idle, bottom: .loading(LoadID(2)))
        tester.finish(2, .failed)
        tester.skip()
        tester.scroll(.decelerating, 900, cause: .wheel, after: 120_000)
        tester.expect("bottom idle")
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 900, cause: .wheel)
        tester.expect("bottom idle")
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.skip()
        tester.expect(top: .idle, bottom: .loading(LoadID(3)))
        tester.finish(3, .success)
        tester.skip()
    }
}
