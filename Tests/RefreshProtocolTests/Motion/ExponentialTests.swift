import Foundation
import RefreshProtocol
import Testing

@Suite struct ExponentialTests {
    @Test("200,000 powers and logarithms differ from the system's by at most two ulp")
    func accuracy() {
        var random = SeededGenerator("Exponential", seed: 401)
        for _ in 0..<100_000 {
            let x = Double.random(in: -700...700, using: &random)
            let power = Exponential.exp(x)
            #expect((power - Foundation.exp(x)).magnitude <= 2 * power.ulp, "exp(\(x))")
            let y = Foundation.exp(x) * Double.random(in: 0.5...2, using: &random)
            let logarithm = Exponential.log(y)
            #expect(
                (logarithm - Foundation.log(y)).magnitude <= 2 * max(logarithm.ulp, 0x1p-60),
                "log(\(y))")
        }
    }

    @Test(
        "The bits are the same on every machine",
        arguments: [
            (-0.5, 0x3FE3_68B2_FC6F_960A), (-1.0, 0x3FD7_8B56_362C_EF38),
            (-20.0, 0x3E21B48655F37267),
        ] as [(Double, UInt64)])
    func bits(x: Double, bits: UInt64) {
        #expect(Exponential.exp(x).bitPattern == bits)
    }

    @Test("Extreme arguments cause no trap")
    func ends() {
        #expect(Exponential.exp(0) == 1 && Exponential.log(1) == 0)
        #expect(Exponential.exp(-1e300) == 0 && Exponential.exp(-.infinity) == 0)
        #expect(Exponential.exp(1e300) == .infinity)
        #expect(Exponential.log(0) == -.infinity && Exponential.log(-1) == -.infinity)
        #expect(Exponential.log(.infinity) == .infinity)
        #expect(Exponential.log(.greatestFiniteMagnitude).isFinite)
        #expect((Exponential.exp(-707.9) / Foundation.exp(-707.9) - 1).magnitude < 1e-15)
        #expect((Exponential.log(100) - 4.605170185988092).magnitude < 1e-15)
    }
}
