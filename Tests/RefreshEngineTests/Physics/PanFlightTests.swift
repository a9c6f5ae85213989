import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Lists after a flick. The viewport has 800 points, and the content has 2,000 points.
@Suite("Pan in flight")
struct PanFlightTests {
    /// Returns a list that a finger flicks at `offset` with `velocity`. Drops the effects before
    /// the release.
    private static func throwing(
        _ options: ViewOptions = .iq(), from offset: Double, _ velocity: Double,
        hasPage: Bool = true, at location: SourceLocation = #_sourceLocation
    ) -> EngineTester {
        var tester = EngineTester(options, offset: offset, at: location)
        if hasPage { tester.loadFirstPage() }
        tester.pan(.began, 0)
        tester.pan(.dragging, velocity > 0 ? -1 : 1)
        tester.skip()
        tester.pan(.ended, velocity > 0 ? -1 : 1, velocity: velocity)
        return tester
    }

    @Test("A flicked list slides as far as in UIScrollView and rests there")
    func slide() {
        var tester = Self.throwing(from: 301, -400)
        tester.expect("offset 100.4 by flight")
        #expect(tester.engine.gesture.phase == .coasting)
        tester.passDeadline()
        #expect(tester.engine.offset == 100.4)
        #expect(tester.engine.gesture.phase == .resting)
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("At the fast rate a flicked list slides a fifth of the distance at the normal rate")
    func fastRate() {
        var tester = Self.throwing(.iq { $0.pan.rate = .fast }, from: 301, -400)
        tester.expect("offset 260.4 by flight")
        tester.passDeadline()
    }

    @Test("A flick over the top overshoots, returns and never refreshes")
    func overTop() throws {
        var tester = Self.throwing(from: 101, -4000)
        tester.expect("offset 0 by flight")
        let flight = try #require(tester.engine.flight)
        let turn = flight.start.advanced(byMilliseconds: 80.5)
        #expect(flight.offset(at: turn) < -60)
        tester.send(.timePassed, after: turn.milliseconds(since: tester.now))
        tester.expect(top: .idle)
        #expect(tester.engine.offset == flight.offset(at: turn))
        tester.passDeadline()
        #expect(tester.engine.offset == 0)
    }

    @Test("If the profile lets flings refresh, a flick refreshes when it passes the threshold")
    func flingRefreshes() throws {
        var tester = Self.throwing(.iq { $0.refresh?.intents = .all }, from: 101, -4000)
        tester.expect("offset 0 by flight")
        let flight = try #require(tester.engine.flight)
        tester.passDeadline()
        #expect(abs(flight.offset(at: tester.now) + 60) < 0.01)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "offset -60 by flight",
            "load 1.2 refresh refreshControl by finger, page 1 offset 0 size 10")
        let held = try #require(tester.engine.flight)
        #expect(held.velocity == flight.velocity(at: tester.now))
        tester.passDeadline()
        #expect(tester.engine.offset == -60)
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A flick that reaches the end loads more there and overshoots into the room")
    func flingLoadsMore() throws {
        var tester = Self.throwing(from: 899, 2000)
        tester.expect("offset 1200 by flight")
        let flight = try #require(tester.engine.flight)
        let meets = try #require(flight.instant(passing: 1200))
        tester.passDeadline()
        #expect(tester.now.milliseconds(since: meets) <= 0.001)
        tester.expect(
            "impact", "bottom loading by finger", "inset bottom 60 in 100",
            "offset 1260 by flight",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        #expect(tester.engine.gesture.phase == .coasting)
        tester.finish(2, .failed)
        tester.expect(
            "inset bottom 0 in 100", "offset 1200 by flight", "bottom failed after failed",
            "end 1.2 more failed")
        tester.passDeadline()
        #expect(tester.engine.offset == 1200)
        tester.expect(top: .idle, bottom: .failed)
    }

    @Test("A flick loads more at the threshold, even if `preload` or `leadTime` has moved it")
    func preload() throws {
        var tester = Self.throwing(.iq { $0.loadMore?.preload = 100 }, from: 899, 1500)
        tester.skip()
        tester.passDeadline()
        #expect(abs(tester.engine.offset - 1100) < 0.01)
        tester.skip()
        tester.finish(2, .empty, more: false)
        tester.skip()
        tester.passDeadline()

        var timely = Self.throwing(.iq { $0.loadMore?.leadTime = 200 }, from: 499, 1500)
        timely.skip()
        timely.passDeadline()
        let (place, speed) = (timely.engine.offset, try #require(timely.engine.flight).velocity)
        #expect(place < 1199 && speed < 1500)
        #expect(abs(place + speed * 0.2 - 1200) < 0.01)
        timely.skip()
        timely.finish(2, .empty, more: false)
        timely.skip()
        timely.passDeadline()
    }

    @Test("With `leadTime`, a flick that is fast enough requests a page at the release already")
    func asksAtRelease() {
        var tester = Self.throwing(.iq { $0.loadMore?.leadTime = 200 }, from: 899, 3000)
        tester.expect(
            "offset 1200 by flight", "impact", "bottom loading by finger",
            "inset bottom 60 in 100", "offset 1260 by flight",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
        tester.comeToRest()
    }

    @Test("If the engine is called late, the list is at rest and the next page is requested")
    func lateDriver() {
        var tester = Self.throwing(.iq { $0.loadMore?.preload = 100 }, from: 899, 700)
        tester.skip()
        tester.send(.timePassed, after: 20_000)
        tester.expect(
            "impact", "bottom loading by finger", "inset bottom 60 in 100", "offset 1200",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        #expect(tester.engine.offset == 1200 && tester.engine.gesture.phase == .resting)
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A cancelled flick and a flick by the program load nothing")
    func noIntent() {
        for (phase, cause) in [(ScrollPhase.cancelled, Cause.finger), (.ended, .code)] {
            var tester = EngineTester(offset: 1150)
            tester.loadFirstPage()
            tester.send(.panned(PanSample(translation: 0, phase: .began, cause: cause)))
            tester.skip()
            tester.send(
                .panned(
                    PanSample(translation: -10, phase: phase, velocity: 3000, cause: cause)))
            tester.skip()
            if phase == .ended { tester.passDeadline() }
            tester.skip()
            tester.expect(top: .idle)
        }
    }

    @Test("A finger catches a flying list at its current place, and can flick it again")
    func catchAndThrow() throws {
        var tester = Self.throwing(from: 401, 900)
        tester.skip()
        let flight = try #require(tester.engine.flight)
        tester.pan(.began, 0, after: 100)
        let caught = flight.offset(at: tester.now)
        let speed = flight.velocity(at: tester.now)
        tester.expect("offset \(number(caught))")
        #expect(tester.engine.flight == nil && tester.engine.deadlines.settle == .never)
        tester.pan(.ended, 0, velocity: speed, after: 0)
        let next = try #require(tester.engine.flight)
        #expect(next.origin == caught && next.velocity == speed)
        #expect(abs(next.rest - flight.rest) < 0.1)
        tester.skip()
        tester.passDeadline()
    }

    @Test("If the client reports another offset at the catch, the list is held at that offset")
    func catchLate() throws {
        var tester = Self.throwing(from: 401, 900)
        tester.skip()
        let flight = try #require(tester.engine.flight)
        tester.pan(.began, 0, from: 430.5, after: 100)
        tester.expect("offset 430.5")
        #expect(flight.offset(at: tester.now) > 470)
        tester.pan(.dragging, -5)
        tester.expect("offset 435.5")
        tester.pan(.ended, -5)
    }

    @Test("A list that moves by a command is caught at its current place")
    func catchGlide() throws {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        tester.pan(.began, 0, after: 50)
        let caught = tester.engine.offset
        #expect(abs(caught + 30) < 1e-6)
        tester.expect("offset \(caught)")
        tester.pan(.dragging, -10)
        #expect(abs(tester.engine.offset + 20) < 1e-6)
        tester.skip()
        tester.pan(.ended, -10)
        tester.finish(1, .success, count: 10)
        tester.skip()
        // The room has closed, and the list is still beyond its start. After a pan the engine moves
        // the list, so it moves the list back to the start.
        #expect(tester.engine.currentOffset(at: tester.now.advanced(byMilliseconds: 1000.0)) == 0)
    }

    @Test("A scroll sample ends the flight, and from then on the client moves and reports the list")
    func scrollTakesOver() {
        var tester = Self.throwing(from: 401, 900)
        tester.skip()
        tester.scroll(.began, 430)
        #expect(tester.engine.motion == nil && tester.engine.deadlines.settle == .never)
        tester.scroll(.ended, 430)
        tester.scroll(.idle, 430)
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test(
        "In a reversed list a flick goes the opposite way", arguments: [-4000.0, 700, 2500])
    func mirrored(velocity: Double) throws {
        var reversed = ViewOptions.iq()
        reversed.layout = ViewLayout(axis: .vertical, isReversed: true)
        var plain = EngineTester(offset: 500)
        var mirror = EngineTester(reversed, offset: 700)
        for _ in 0..<2 {
            plain.pan(.began, 0, after: 60)
            mirror.pan(.began, 0, after: 60)
            plain.skip()
            mirror.skip()
            plain.pan(.dragging, -3)
            mirror.pan(.dragging, 3)
            plain.expect("offset \(number(plain.engine.physicalOffset))")
            mirror.expect("offset \(number(1200 - plain.engine.physicalOffset))")
            plain.pan(.ended, -3, velocity: velocity)
            mirror.pan(.ended, 3, velocity: -velocity)
            let flight = try #require(plain.engine.flight)
            let rest = ((1200 - flight.rest) * 100).rounded() / 100
            plain.expect("offset \(number(flight.rest)) by flight")
            mirror.expect("offset \(number(rest)) by flight")
            #expect(mirror.engine.flight == flight)
        }
        plain.comeToRest()
        mirror.comeToRest()
        #expect(plain.engine.offset == mirror.engine.offset)
    }
}
