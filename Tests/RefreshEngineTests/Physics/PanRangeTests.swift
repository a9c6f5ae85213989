import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Sizes and options that change while the engine moves the list.
@Suite("Pan while the range changes")
struct PanRangeTests {
    @Test("If an inset changes while a finger holds the list beyond its edge, the list stays")
    func insetUnderFinger() {
        var tester = EngineTester(.iq { $0.refresh = nil }, .sizes(top: 88))
        tester.pan(.began, 0)
        tester.pan(.dragging, 100)
        tester.skip()
        let shown = tester.engine.offset
        tester.change(top: 20)
        tester.expectNothing()
        #expect(tester.engine.offset == shown)
        tester.pan(.dragging, 100)
        #expect(abs(tester.engine.offset - shown) < 1e-9)
        tester.skip()
        tester.pan(.dragging, 101)
        let moved = shown - tester.engine.offset
        #expect(moved > 0.1 && moved < 1)
        tester.skip()
        tester.pan(.ended, 101)
        tester.expect("offset -20 by flight")
        tester.passDeadline()
        #expect(tester.engine.offset == -20)
    }

    @Test("If content shrinks under a finger, the list stays and springs to its end at the release")
    func contentUnderFinger() {
        var tester = EngineTester(.iq { $0.loadMore = nil }, offset: 1000)
        tester.pan(.began, 0)
        tester.pan(.dragging, -20)
        tester.expect("offset 1020")
        tester.change(content: 1500)
        tester.expectNothing()
        tester.pan(.dragging, -20)
        #expect(abs(tester.engine.offset - 1020) < 1e-9)
        tester.skip()
        tester.pan(.ended, -20)
        tester.expect("offset 700 by flight")
        tester.passDeadline()
        #expect(tester.engine.offset == 700)
    }

    @Test("If the damping changes under a finger, the list stays and follows the new curve")
    func dampingUnderFinger() {
        var tester = EngineTester(.iq { $0.refresh = nil })
        tester.pan(.began, 0)
        tester.pan(.dragging, 200)
        tester.skip()
        let shown = tester.engine.offset
        var pan = PanOptions()
        pan.damping = .none
        tester.send(
            .edgesConfigured(
                refresh: nil, loadMore: tester.engine.options.loadMore, pan: pan))
        tester.expectNothing()
        tester.pan(.dragging, 210)
        #expect(abs(tester.engine.offset - (shown - 10)) < 1e-9)
        tester.skip()
        tester.pan(.ended, 210)
        tester.expect("offset 0 by flight")
        tester.passDeadline()
    }

    @Test("Insets that were not delivered before a touch do not move the list under the finger")
    func withdrawnInsets() {
        var tester = EngineTester(.iq())
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        var engine = tester.engine
        let now = tester.now.advanced(byMilliseconds: 1.0)
        var effects: [Effect] = []
        engine.handle(
            .panned(PanSample(translation: 0, phase: .began, offset: 0)), at: now, into: &effects)
        engine.withdrawInsets(clientHasStart: 0, end: 0)
        engine.handle(
            .panned(PanSample(translation: 0, phase: .dragging)), at: now, into: &effects)
        #expect(engine.offset == 0)
        engine.handle(
            .panned(PanSample(translation: -30, phase: .dragging)), at: now, into: &effects)
        #expect(engine.offset == 30)
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("If the range changes during a flight, the list keeps its place and velocity")
    func rangeInFlight() throws {
        var tester = EngineTester(.iq { $0.loadMore = nil }, offset: 500)
        tester.pan(.began, 0)
        tester.pan(.dragging, -10)
        tester.skip()
        tester.pan(.ended, -10, velocity: 2000)
        tester.expect("offset 1200 by flight")
        let old = try #require(tester.engine.flight)
        #expect(old.velocity == 2000)
        tester.change(content: 4000, after: 100)
        tester.skip()
        let new = try #require(tester.engine.flight)
        #expect(new.start == tester.now && new.upper == 3200)
        #expect(new.origin == old.offset(at: tester.now))
        #expect(new.velocity == old.velocity(at: tester.now))
        #expect(abs(new.rest - 1508) < 1)
        // This change does not affect the flight.
        tester.change(bars: Bars.none, after: 10)
        tester.expectNothing()
        #expect(tester.engine.flight == new)
        tester.passDeadline()
        #expect(tester.engine.offset == new.rest)
        #expect(tester.engine.gesture.phase == .resting)
    }

    @Test("If the edge moves to the place of a list that springs back, the list rests there")
    func edgeMeetsList() {
        var tester = EngineTester(.iq { $0.refresh = nil })
        tester.pan(.began, 0)
        tester.pan(.dragging, 30)
        tester.skip()
        tester.pan(.ended, 30)
        tester.skip()
        tester.change(top: 300, after: 280)
        let place = tester.engine.offset
        #expect(place < -0.5 && place > -2)
        tester.expect("offset \(number(place))")
        #expect(tester.engine.nextDeadline == tester.now)
        tester.passDeadline()
        #expect(tester.engine.flight == nil && tester.engine.nextDeadline == nil)
        #expect(tester.engine.gesture.phase == .resting)
        #expect(abs(tester.engine.offset - place) < 0.01)
    }

    @Test("A page that is laid out during a flight extends it at the same velocity")
    func landing() throws {
        var tester = EngineTester(.iq(), offset: 900)
        tester.loadFirstPage()
        tester.pan(.began, 0)
        tester.pan(.dragging, -10)
        tester.skip()
        tester.pan(.ended, -10, velocity: 1500)
        tester.expect("offset 1200 by flight")
        tester.passDeadline()
        tester.expect(
            "impact", "bottom loading by finger", "inset bottom 60 in 100",
            "offset 1260 by flight",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        let before = try #require(tester.engine.flight)
        tester.finish(2, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.2 more success",
            "list 20 and more")
        #expect(tester.engine.flight == before)
        tester.change(content: 4000)
        let after = try #require(tester.engine.flight)
        #expect(after.velocity == before.velocity(at: tester.now))
        #expect(after.velocity > 800)
        tester.expect("offset \(number(after.rest)) by flight")
        tester.comeToRest()
    }
}
