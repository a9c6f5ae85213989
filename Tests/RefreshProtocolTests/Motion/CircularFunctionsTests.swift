import Foundation
import RefreshProtocol
import Testing

@Suite struct CircularFunctionsTests {
    @Test("300,000 sines and cosines differ from the system's by at most two ulp or 1e-15")
    func sineAndCosine() {
        var random = SeededGenerator("CircularFunctions", seed: 402)
        for range in [10.0, 1_000, 1_000_000] {
            for _ in 0..<100_000 {
                let angle = Double.random(in: -range...range, using: &random)
                let (sin, cos) = CircularFunctions.sinAndCos(angle)
                #expect(Self.isNear(sin, Foundation.sin(angle)), "sin(\(angle))")
                #expect(Self.isNear(cos, Foundation.cos(angle)), "cos(\(angle))")
            }
        }
    }

    @Test("200,000 results of `atan2` and `acos` differ from the system's by at most two ulp")
    func inverse() {
        var random = SeededGenerator("CircularFunctions inverse", seed: 403)
        for _ in 0..<100_000 {
            let scale = Foundation.exp(Double.random(in: -300...300, using: &random))
            let skew = Foundation.exp(Double.random(in: -20...20, using: &random))
            let y = Double.random(in: -1...1, using: &random) * scale
            let x = Double.random(in: -1...1, using: &random) * scale * skew
            let angle = CircularFunctions.atan2(y, x)
            let system = Foundation.atan2(y, x)
            #expect((angle - system).magnitude <= 2 * system.ulp, "atan2(\(y), \(x))")
            let cosine = Double.random(in: -1...1, using: &random)
            #expect(
                Self.isNear(CircularFunctions.acos(cosine), Foundation.acos(cosine)),
                "acos(\(cosine))")
        }
    }

    @Test("`sin`, `cos` and `atan2` have no jump near any eighth of a turn")
    func seams() {
        for eighth in -64...64 {
            for nudge in -3...3 {
                let angle = Double(eighth) * .pi / 4 + Double(nudge) * 1e-15
                #expect(Self.isNear(CircularFunctions.sin(angle), Foundation.sin(angle)))
                #expect(Self.isNear(CircularFunctions.cos(angle), Foundation.cos(angle)))
                let y = Double(eighth) / 16 + Double(nudge) * 1e-16
                for x in [1.0, -1] {
                    #expect(
                        Self.isNear(CircularFunctions.atan2(y, x), Foundation.atan2(y, x)))
                    #expect(
                        Self.isNear(CircularFunctions.atan2(x, y), Foundation.atan2(x, y)))
                }
            }
        }
    }

    @Test("The results in the quadrants and on the axes equal the system's")
    func axes() {
        for y in [-2.0, -0.0, 0, 3] {
            for x in [-2.0, 0, 3] {
                #expect(CircularFunctions.atan2(y, x) == Foundation.atan2(y, x), "\(y) \(x)")
            }
        }
        #expect(CircularFunctions.acos(1) == 0 && CircularFunctions.acos(-1) == .pi)
        #expect(CircularFunctions.acos(1.000_1) == 0 && CircularFunctions.acos(-7) == .pi)
        #expect(CircularFunctions.sin(0) == 0 && CircularFunctions.cos(0) == 1)
    }

    @Test("Extreme arguments cause no trap")
    func ends() {
        for angle in [1e7, -1e15, 1e300, .greatestFiniteMagnitude] {
            let (sin, cos) = CircularFunctions.sinAndCos(angle)
            #expect((sin * sin + cos * cos - 1).magnitude < 1e-15)
        }
        #expect(CircularFunctions.sin(.infinity).isNaN && CircularFunctions.cos(.nan).isNaN)
        let (largest, tiny) = (Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude)
        #expect(Self.isNear(CircularFunctions.atan2(largest, largest), .pi / 4))
        #expect(Self.isNear(CircularFunctions.atan2(tiny, tiny), .pi / 4))
        #expect(CircularFunctions.atan2(1, largest).magnitude < 1e-300)
        for y in [-Double.infinity, -1, 0, .infinity] {
            for x in [-Double.infinity, 1, .infinity] {
                #expect(Self.isNear(CircularFunctions.atan2(y, x), Foundation.atan2(y, x)))
            }
            #expect(CircularFunctions.atan2(y, .nan).isFinite)
            #expect(CircularFunctions.atan2(.nan, y).isFinite)
        }
        #expect(CircularFunctions.acos(.nan).isFinite)
    }

    @Test("The bits are the same on every machine")
    func bits() {
        #expect(CircularFunctions.sin(1).bitPattern == 0x3FEA_ED54_8F09_0CEE)
        #expect(CircularFunctions.cos(1).bitPattern == 0x3FE1_4A28_0FB5_068C)
        #expect(CircularFunctions.atan2(1, 3).bitPattern == 0x3FD4_978F_A326_9EE2)
        #expect(CircularFunctions.acos(0.25).bitPattern == 0x3FF5_1700_E0C1_4B25)
    }

    private static func isNear(_ value: Double, _ system: Double) -> Bool {
        (value - system).magnitude <= max(2 * system.ulp, 1e-15)
    }
}
