import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Resistance")
struct ResistanceTests {
    @Test(
        "A resistance table is wrong by at most 0.1 points", arguments: DampingCurve.allCases
    )
    func error(curve: DampingCurve) throws {
        for viewport in [300.0, 640, 812, 1366] {
            for length in [1.0, 60, 64, 140] {
                for maximum in [nil, 0, 120, 900] as [Double?] {
                    for room in [0.0, 60] {
                        let damping = Damping(
                            curve: curve, viewport: viewport, length: length, room: room,
                            maximum: maximum)
                        let table = ResistanceTable(damping, travel: 2 * viewport).points
                        #expect(table.count <= ResistanceTable.countMax, "\(damping)")
                        let worst = worst(table, damping, to: 2 * viewport)
                        #expect(worst <= ResistanceTable.errorMax, "\(damping)")
                    }
                }
            }
        }
    }

    private func worst(
        _ table: [Resistance.Point], _ damping: Damping, to travel: Double
    ) -> Double {
        var worst = 0.0
        var next = 1
        for step in 0...4000 {
            let at = travel * Double(step) / 4000
            while next < table.count - 1, table[next].travel < at { next += 1 }
            let (a, b) = (table[next - 1], table[next])
            let line = a.shown + (b.shown - a.shown) * (at - a.travel) / (b.travel - a.travel)
            worst = max(worst, abs(line - damping.overshoot(distance: at)))
        }
        return worst
    }

    @Test("Tables for common viewports and pull lengths are small")
    func size() {
        let usual = Damping(curve: .uiscrollview, viewport: 812, length: 64)
        #expect(ResistanceTable(usual, travel: 1624).points.count <= 26)
        let straight = Damping(curve: .none, viewport: 812, length: 64)
        #expect(ResistanceTable(straight, travel: 1624).points.count == 2)
    }

    @Test("If both ends of a list have the same resistance, they share one table")
    func ends() {
        let damping = Damping(curve: .uiscrollview, viewport: 812, length: 64)
        let other = Damping(curve: .uiscrollview, viewport: 812, length: 64, maximum: 20)
        #expect(Resistance([damping, damping], travel: 1000).loadMore == nil)
        #expect(Resistance([damping, other], travel: 1000).loadMore != nil)
    }
}
