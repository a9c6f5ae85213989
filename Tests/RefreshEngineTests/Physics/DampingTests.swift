import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Damping")
struct DampingTests {
    @Test(
        "The overshoot is UIScrollView's, with a viewport of 812 points",
        arguments: [
            (10, 5.463), (50, 26.599), (100, 51.511), (200, 96.876), (400, 173.101), (812, 288.129),
        ])
    func uiscrollview(distance: Double, shown: Double) {
        Self.expect(Damping(curve: .uiscrollview, viewport: 812, length: 60), distance, shown)
    }

    @Test(
        "The overshoot is SmartRefreshLayout's: a header of 100, a rate of 2.5, a height of 2000",
        arguments: [
            (50, 13.985), (100, 27.187), (200, 51.418), (400, 92.261), (800, 150.473),
            (1600, 210.378),
        ])
    func smartRefreshLayout(distance: Double, shown: Double) {
        Self.expect(
            Damping(curve: .smartRefreshLayout, viewport: 2000, length: 100), distance, shown)
    }

    @Test("During a refresh, SmartRefreshLayout damps only the part of a pull beyond the room")
    func smartRefreshing() {
        // The room of 100 points is inside the scroll range. It is subtracted from the limit of the
        // curve (250 points) and from its height (2000 * 4 / 3 points).
        let damping = Damping(
            curve: .smartRefreshLayout, viewport: 2000, length: 100, room: 100)
        Self.expect(damping, 200, 24.637)
        Self.expect(damping, 1000, 88.838)
        #expect(damping.limit == 150)
    }

    @Test(
        "The overshoot is SwipeRefreshLayout's, with a threshold of 64 and a start at -40",
        arguments: [(40, -20), (64, -8), (128, 24), (192, 52), (256, 72), (384, 88), (512, 88)])
    func swipeRefreshLayout(distance: Double, top: Double) {
        Self.expect(
            Damping(curve: .swipeRefreshLayout, viewport: 800, length: 64), distance, top + 40)
    }

    @Test(
        "The overshoot is Compose's, with a threshold of 80",
        arguments: [
            (80, 40), (160, 80), (200, 98.75), (240, 115), (320, 140), (480, 160), (640, 160),
        ])
    func compose(distance: Double, shown: Double) {
        Self.expect(Damping(curve: .compose, viewport: 800, length: 80), distance, shown)
    }

    @Test(
        "The overshoot is Flutter's: a viewport of 800, a displacement of 40, armed from 133.34",
        arguments: [(40, 12), (80, 24), (133, 39.9), (134, 40.2), (200, 60), (300, 60)])
    func flutter(distance: Double, shown: Double) {
        let damping = Damping(curve: .flutter, viewport: 800, length: 40)
        Self.expect(damping, distance, shown)
        #expect((damping.overshoot(distance: distance) >= 40) == (distance > 133.3))
    }

    @Test("Without damping the list follows one to one up to the maximum")
    func none() {
        Self.expect(Damping(curve: .none, viewport: 800, length: 60), 5000, 5000)
        Self.expect(Damping(curve: .none, viewport: 800, length: 60, maximum: 90), 89, 89)
        Self.expect(Damping(curve: .none, viewport: 800, length: 60, maximum: 90), 5000, 90)
    }

    @Test(
        "A maximum is never exceeded. Near 0, it changes only SmartRefreshLayout's curve",
        arguments: curves)
    func maximum(curve: DampingCurve) {
        let free = Damping(curve: curve, viewport: 800, length: 60)
        var damping = free
        damping.maximum = 50
        let change = damping.overshoot(distance: 0.01) - free.overshoot(distance: 0.01)
        #expect((change.magnitude < 1e-5) == (curve != .smartRefreshLayout))
        #expect(damping.limit == 50)
        let far = damping.overshoot(distance: 1e9)
        #expect(far <= 50 && far > 49.99)
        damping.maximum = 0
        #expect(damping.overshoot(distance: 700) == 0 && damping.distance(overshoot: 9) == 0)
    }

    private static func expect(
        _ damping: Damping, _ distance: Double, _ shown: Double,
        at location: SourceLocation = #_sourceLocation
    ) {
        let overshoot = damping.overshoot(distance: distance)
        #expect((overshoot - shown).magnitude < 0.0006, sourceLocation: location)
        guard overshoot < damping.limit else { return }
        let back = damping.distance(overshoot: overshoot)
        #expect((back - distance).magnitude < 1e-6, sourceLocation: location)
    }
}

// Properties of every curve.
extension DampingTests {
    @Test("Each curve begins at 0, never decreases and stays within its limit", arguments: curves)
    func monotone(curve: DampingCurve) {
        for damping in Self.random(curve, count: 300) {
            #expect(damping.overshoot(distance: 0) == 0 && damping.overshoot(distance: -5) == 0)
            var last = 0.0
            for power in stride(from: -3.0, through: 9, by: 0.05) {
                let shown = damping.overshoot(distance: Exponential.exp(power * 2.302585))
                #expect(shown.isFinite && shown >= last && shown <= damping.limit)
                last = shown
            }
            #expect(damping.overshoot(distance: .greatestFiniteMagnitude).isFinite)
        }
    }

    @Test("The inverse and the slope are those of the curve", arguments: curves)
    func inverse(curve: DampingCurve) {
        var random = SeededGenerator(seed: 405)
        for damping in Self.random(curve, count: 300) {
            for _ in 0..<40 {
                let distance = Double.random(in: 0...3000, using: &random)
                let shown = damping.overshoot(distance: distance)
                let again = damping.overshoot(distance: damping.distance(overshoot: shown))
                let missing = shown > 0.999 * damping.limit ? 0.0011 * damping.limit : 1e-9 * shown
                #expect((again - shown).magnitude <= missing + 1e-9, "\(damping) \(distance)")
                let step = 1e-4
                let before = shown - damping.overshoot(distance: distance - step)
                let after = damping.overshoot(distance: distance + step) - shown
                let slope = damping.slope(distance: distance) * step
                let slack = 1e-9 + 1e-12 * shown
                #expect(
                    slope <= max(before, after) + slack && slope >= min(before, after) - slack
                        || (slope - after).magnitude < 1e-3 * after.magnitude + slack,
                    "\(damping) \(distance)")
            }
            #expect(damping.distance(overshoot: 1e9).isFinite)
        }
    }

    private static let curves = DampingCurve.allCases

    /// Returns random dampings. The seed is 406.
    private static func random(_ curve: DampingCurve, count: Int) -> [Damping] {
        print("DampingTests \(curve): seed 406")
        var random = SeededGenerator(seed: 406)
        return (0..<count).map { _ in
            Damping(
                curve: curve, viewport: .random(in: 0...2000, using: &random),
                length: .random(in: 1...300, using: &random),
                room: random.chance(50) ? 0 : .random(in: 0...100, using: &random),
                maximum: random.chance(50) ? nil : .random(in: 0...500, using: &random))
        }
    }
}
