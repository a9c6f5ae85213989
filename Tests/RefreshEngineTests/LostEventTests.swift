import RefreshEngine
import RefreshProtocol
import Testing

/// Clients that lose what they meant to say, and clients that are suspended for minutes.
@Suite("Lost and late events")
struct LostEventTests {
    private static let load = "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10"

    @Test("A finger that comes down again has left before, and what it armed is void")
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

    @Test("Insets that waited for a lost end are told when the finger's silence ends it")
    func withheld() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.expect("impact", "top refreshing by finger", Self.load)
        tester.passDeadline()
        tester.expect("inset top 60 in 100")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("Before silence has lasted long enough a still finger is a finger")
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

    @Test("A client that was away for minutes comes back to a list at rest and an ended load")
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

    @Test("A driver that was away itself meets all deadlines with its first event, or after it")
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

    @Test("A sample of an old gesture that comes late takes nothing up again")
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
        "A wheel that a client tells without an end is over with the next idle, or the next finger")
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
