import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Drag anchor")
struct DragAnchorTests {
    @Test("Taking hold does not move the list", arguments: DampingCurve.allCases)
    func takingHold(curve: DampingCurve) {
        let world = World(curve)
        for offset in stride(from: -1500.0, through: 2700, by: 7.3) {
            for translation in [0, -35.5, 410] as [Double] {
                let grip = world.grip(at: offset, translation)
                #expect((world.offset(grip, translation) - offset).magnitude < 1e-9)
            }
        }
    }

    @Test(
        "The list follows the finger out and back without a jump", arguments: DampingCurve.allCases)
    func following(curve: DampingCurve) {
        let world = World(curve)
        for held in [-900, -51.5, 0, 600, 1260, 2400] as [Double] {
            let grip = world.grip(at: held, 0)
            var last = world.offset(grip, -4000)
            for translation in stride(from: -4000.0, through: 4000, by: 0.5) {
                let offset = world.offset(grip, translation)
                // Here Flutter's curve moves 0.45 points for each point of travel. The excess is
                // lost by at most one point for each point of travel.
                #expect(offset <= last + 1e-9 && last - offset <= 1)
                last = offset
            }
        }
    }

    @Test("An overshoot that no pull could cause is lost on the way to the edge")
    func excess() {
        let world = World(.compose)
        let grip = world.grip(at: -300, 0)
        #expect(world.offset(grip, 500) == -300)
        // Compose shows 120 points for a pull of 360 points, so the finger has 360 points to go
        // back.
        #expect((world.offset(grip, -360)).magnitude < 1e-9)
        #expect(world.offset(grip, -361) == 1)
        #expect(world.offset(grip, -180) > -300 && world.offset(grip, -180) < -100)
    }

    @Test("The velocity is the derivative of the list's place", arguments: DampingCurve.allCases)
    func velocity(curve: DampingCurve) {
        let world = World(curve)
        for held in [-700, -51.5, 600, 1230, 2000] as [Double] {
            let grip = world.grip(at: held, 0)
            for translation in stride(from: -2000.0, through: 2000, by: 93.7) {
                let step = 1e-3
                let moved = world.offset(grip, translation - step) - world.offset(grip, translation)
                let velocity = world.velocity(grip, 1000, translation)
                #expect((moved / step * 1000 - velocity).magnitude < 0.01)
            }
        }
    }

    /// A list with the range 0...1200 under a viewport of 800 and lengths of 60.
    private struct World {
        let range = 0.0...1200
        let damping: Damping

        init(_ curve: DampingCurve) {
            damping = Damping(curve: curve, viewport: 800, length: 60)
        }

        func grip(at offset: Double, _ translation: Double) -> DragAnchor {
            DragAnchor(
                at: offset, translation: translation, range: range, lower: damping, upper: damping)
        }

        func offset(_ grip: DragAnchor, _ translation: Double) -> Double {
            grip.offset(translation: translation, range: range, lower: damping, upper: damping)
        }

        func velocity(_ grip: DragAnchor, _ velocity: Double, _ translation: Double) -> Double {
            grip.velocity(
                velocity, translation: translation, range: range, lower: damping, upper: damping)
        }
    }
}
