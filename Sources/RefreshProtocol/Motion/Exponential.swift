/// `exp` and `log`, computed with basic operations only. They therefore give the same bits on every
/// machine.
///
/// The system's functions differ in the last bit between processors, but a replayed journal must
/// give the same bits (see docs/decisions/0005-own-exponential.md). The results of both functions
/// differ from those of the system's functions by at most two units in the last place.
package enum Exponential {
    // The natural logarithm of 2 as the sum of two parts. The first part ends with 21 zero bits, so
    // that its product with an exponent is exact.
    private static let ln2High = 0x1.62e42feep-1
    private static let ln2Low = 0x1.a39ef35793c76p-33

    /// e to the power of `x`. If `x` is -708 or less, the result is 0, so no result is subnormal.
    /// If `x` is 709 or more, the result is infinity.
    package static func exp(_ x: Double) -> Double {
        guard x > -708 else { return 0 }
        guard x < 709 else { return .infinity }
        let power = (x / (ln2High + ln2Low)).rounded()
        let rest = (x - power * ln2High) - power * ln2Low
        // Taylor's series for |rest| <= 0.3466: the terms after the 13th power are below 2^-57.
        var sum = 1.0 / 6_227_020_800
        sum = sum * rest + 1.0 / 479_001_600
        sum = sum * rest + 1.0 / 39_916_800
        sum = sum * rest + 1.0 / 3_628_800
        sum = sum * rest + 1.0 / 362_880
        sum = sum * rest + 1.0 / 40_320
        sum = sum * rest + 1.0 / 5_040
        sum = sum * rest + 1.0 / 720
        sum = sum * rest + 1.0 / 120
        sum = sum * rest + 1.0 / 24
        sum = sum * rest + 1.0 / 6
        sum = sum * rest + 0.5
        let value = 1 + (rest + rest * rest * sum)
        return value * Double(sign: .plus, exponent: Int(power), significand: 1)
    }

    /// The natural logarithm of `x`, a positive normal number.
    package static func log(_ x: Double) -> Double {
        guard x > 0, x < .infinity else { return x > 0 ? .infinity : -.infinity }
        var power = Double(x.exponent)
        var part = x.significand
        if part > 1.414_213_562_373_095 {
            part /= 2
            power += 1
        }
        // log m = 2 atanh((m - 1) / (m + 1)). For |f| <= 0.1716, the terms after the 23rd power are
        // below 2^-60.
        let f = (part - 1) / (part + 1)
        let square = f * f
        var sum = 1.0 / 23
        sum = sum * square + 1.0 / 21
        sum = sum * square + 1.0 / 19
        sum = sum * square + 1.0 / 17
        sum = sum * square + 1.0 / 15
        sum = sum * square + 1.0 / 13
        sum = sum * square + 1.0 / 11
        sum = sum * square + 1.0 / 9
        sum = sum * square + 1.0 / 7
        sum = sum * square + 1.0 / 5
        sum = sum * square + 1.0 / 3
        return power * ln2High + (2 * f + (2 * f * square * sum + power * ln2Low))
    }
}
