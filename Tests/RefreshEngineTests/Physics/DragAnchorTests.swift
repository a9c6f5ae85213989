import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Drag anchor")
struct DragAnchorTests {
    @Test("A finger that catches the list does not move it", arguments: DampingCurve.allCases)
    func takingHold(curve: DampingCurve) {
        let fixture = Fixture(curve)
        for offset in stride(from: -1500.0, through: 2700, by: 7.3) {
            for translation in [0, -35.5, 410] as [Double] {
                let anchor = fixture.anchor(at: offset, translation)
                #expect((fixture.offset(anchor, translation) - offset).magnitude < 1e-9)
            }
        }
    }

    @Test(
        "The list follows the finger out and back without a jump", arguments: DampingCurve.allCases)
    func following(curve: DampingCurve) {
        let fixture = Fixture(curve)
        for held in [-900, -51.5, 0, 600, 1260, 2400] as [Double] {
            let anchor = fixture.anchor(at: held, 0)
            var last = fixture.offset(anchor, -4000)
            for translation in stride(from: -4000.0, through: 4000, by: 0.5) {
                let offset = fixture.offset(anchor, translation)
                // Each step of the finger is half a point. With a length of 60 points, Flutter's
                // curve moves the list by 0.45 points for each point of travel. In addition, an
                // overshoot that no pull could cause decreases by at most one point for each point
                // of travel.
                #expect(offset <= last + 1e-9 && last - offset <= 1)
                last = offset
            }
        }
    }

    @Test("An overshoot that no pull could cause is lost while the finger moves back to the edge")
    func excess() {
        let fixture = Fixture(.compose)
        let anchor = fixture.anchor(at: -300, 0)
        #expect(fixture.offset(anchor, 500) == -300)
        // Compose shows 120 points for a pull of 360 points, so the list is at its edge when the
        // finger has moved back by 360 points.
        #expect((fixture.offset(anchor, -360)).magnitude < 1e-9)
        #expect(fixture.offset(anchor, -361) == 1)
        #expect(fixture.offset(anchor, -180) > -300 && fixture.offset(anchor, -180) < -100)
    }

    @Test("The velocity is the derivative of the list's place", arguments: DampingCurve.allCases)
    func velocity(curve: DampingCurve) {
        let fixture = Fixture(curve)
        for held in [-700, -51.5, 600, 1230, 2000] as [Double] {
            let anchor = fixture.anchor(at: held, 0)
            for translation in stride(from: -2000.0, through: 2000, by: 93.7) {
                let step = 1e-3
                let moved =
                    fixture.offset(anchor, translation - step) - fixture.offset(anchor, translation)
                let velocity = fixture.velocity(anchor, 1000, translation)
                #expect((moved / step * 1000 - velocity).magnitude < 0.01)
            }
        }
    }

    /// A list with the range 0...1200, a viewport of 800 points, and edges with a length of 60
    /// points.
    private struct Fixture {
        let range = 0.0...1200
        let damping: Damping

        init(_ curve: DampingCurve) {
            damping = Damping(curve: curve, viewport: 800, length: 60)
        }

        func anchor(at offset: Double, _ translation: Double) -> DragAnchor {
            DragAnchor(
                at: offset, translation: translation, range: range, lower: damping, upper: damping)
        }

        func offset(_ anchor: DragAnchor, _ translation: Double) -> Double {
            anchor.offset(translation: translation, range: range, lower: damping, upper: damping)
        }

        func velocity(_ anchor: DragAnchor, _ velocity: Double, _ translation: Double) -> Double {
            anchor.velocity(
                velocity, translation: translation, range: range, lower: damping, upper: damping)
        }
    }
}
