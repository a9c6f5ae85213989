import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The second floor of a list that the engine moves. The viewport has 800 points, and the floor's
/// threshold is at 150 points.
@Suite("Pan on the second floor")
struct PanFloorTests {
    private static var options: ViewOptions {
        .iq {
            $0.refresh?.floor = FloorOptions(length: 150)
            $0.pan.damping = .none
        }
    }

    /// Returns a list whose floor is opening. Drops the effects.
    private static func opened(at location: SourceLocation = #_sourceLocation) -> EngineTester {
        var tester = EngineTester(options, at: location)
        tester.pan(.began, 0)
        tester.pan(.dragging, 160)
        tester.skip()
        tester.pan(.ended, 160)
        tester.skip()
        return tester
    }

    @Test("A floor that opens again while it closes moves the list from its current place")
    func reopens() {
        var tester = Self.opened()
        tester.passDeadline()
        tester.skip()
        tester.send(.floorRequested(isOpen: false))
        tester.skip()
        tester.send(.timePassed, after: 150)
        let place = tester.engine.currentOffset(at: tester.now)
        #expect(place > -700 && place < -100)
        tester.send(.floorRequested(isOpen: true), after: 0)
        tester.skip()
        #expect(tester.engine.currentOffset(at: tester.now) == place)
        tester.comeToRest()
    }

    @Test("A pull that is far enough opens the floor, and the list glides into it and rests")
    func opens() {
        var tester = EngineTester(Self.options)
        tester.pan(.began, 0)
        tester.pan(.dragging, 160)
        tester.skip()
        tester.pan(.ended, 160)
        tester.expect(
            "top pulling 1", "top idle", "impact", "floor opening", "inset top 800 in 300",
            "offset -800 in 300")
        #expect(tester.engine.flight == nil)
        tester.passDeadline()
        tester.expect("floor open")
        #expect(tester.engine.scrollRange == -800...1200)
    }

    @Test("A finger catches the list at its current place while the floor opens")
    func catchOpening() {
        var tester = Self.opened()
        tester.pan(.began, 0, after: 150)
        let caught = tester.engine.offset
        #expect(abs(caught + 480) < 1e-6)
        tester.expect("offset \(caught)")
        tester.pan(.dragging, 20)
        #expect(abs(tester.engine.offset - (caught - 20)) < 1e-6)
        tester.skip()
        tester.passDeadline()
        tester.expect("floor open")
        tester.pan(.cancelled, 20)
        tester.expect("offset -800 in 300")
    }

    @Test("After a short drag an open floor returns to its place, and after a long drag it closes")
    func drags() {
        var tester = Self.opened()
        tester.passDeadline()
        tester.skip()
        tester.pan(.began, 0)
        tester.pan(.dragging, -100)
        tester.expect("offset -700")
        tester.pan(.ended, -100)
        tester.expect("offset -800 in 300")
        tester.pan(.began, 0, after: 400)
        tester.pan(.dragging, -200)
        tester.expect("offset -600")
        tester.pan(.ended, -200)
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
        // The finger catches the list while it moves, and releases it. Only the engine can move the
        // list to its place.
        tester.pan(.began, 0, after: 150)
        let caught = tester.engine.offset
        #expect(abs(caught + 300) < 1e-6)
        tester.skip()
        tester.pan(.ended, 0)
        tester.expect("offset 0 in 300")
        tester.passDeadline()
        tester.expect("floor closed")
        #expect(tester.engine.currentOffset(at: tester.now.advanced(byMilliseconds: 300.0)) == 0)
        #expect(tester.engine.gesture.phase == .resting)
    }

    @Test("If the floor closed under a finger, the list springs to its start at the release")
    func closedUnderFinger() {
        var tester = Self.opened()
        tester.passDeadline()
        tester.skip()
        tester.send(.floorRequested(isOpen: false))
        tester.skip()
        tester.pan(.began, 0, after: 150)
        tester.skip()
        let caught = tester.engine.offset
        tester.passDeadline()
        tester.expect("floor closed")
        tester.pan(.dragging, 0)
        #expect(tester.engine.offset == caught)
        tester.skip()
        tester.pan(.cancelled, 0)
        tester.skip()
        #expect(tester.engine.flight?.origin == caught)
        tester.comeToRest()
        #expect(tester.engine.offset == 0)
    }

    @Test("A floor that is requested under a finger becomes visible after the release")
    func openedUnderFinger() {
        var tester = EngineTester(Self.options, offset: 500)
        tester.pan(.began, 0)
        tester.send(.floorRequested(isOpen: true))
        tester.expect("impact", "floor opening")
        tester.pan(.dragging, -10)
        tester.expect("offset 510")
        tester.pan(.ended, -10)
        tester.expect("offset -800 in 300", "inset top 800 in 100")
        tester.passDeadline()
        tester.expect("floor open")
    }

    @Test("A floor that is requested during a flight moves the list from its current place")
    func openedInFlight() {
        var tester = EngineTester(Self.options, offset: 500)
        tester.pan(.began, 0)
        tester.pan(.ended, 0, velocity: -500)
        tester.skip()
        tester.send(.floorRequested(isOpen: true), after: 100)
        tester.expect("impact", "floor opening", "inset top 800 in 300", "offset -800 in 300")
        #expect(tester.engine.flight == nil && tester.engine.gesture.phase == .resting)
        let place = tester.engine.currentOffset(at: tester.now)
        #expect(place > 400 && place < 500)
        tester.passDeadline()
        tester.expect("floor open")
    }
}
