/// `sin`, `cos`, `atan2` and `acos`, computed with basic operations only. They therefore give the
/// same bits on every machine (see docs/decisions/0005-own-exponential.md).
///
/// Angles are in radians. The results differ from those of the system's functions by at most two
/// units in the last place or 1e-15, whichever is larger.
package enum CircularFunctions {
    // A quarter turn as the sum of three parts. Each of the first two parts ends with 20 zero bits,
    // so that the product of this part with a number of quarters is exact.
    private static let quarterHigh = 0x1.921fb544p0
    private static let quarterMiddle = 0x1.0b4611a6p-34
    private static let quarterLow = 0x1.3198a2e037073p-69
    /// The difference between a half turn and the double nearest to it.
    private static let halfTurnRest = 0x1.1a62633145c07p-53
    /// The arc tangents of 0, 1/8, 2/8, ... 1.
    private static let arcTangents: [9 of Double] = [
        0, 0.124_354_994_546_761_44, 0.244_978_663_126_864_14, 0.358_770_670_270_572_25,
        0.463_647_609_000_806_1, 0.558_599_315_343_562_4, 0.643_501_108_793_284_4,
        0.718_829_999_621_624_5, 0.785_398_163_397_448_3,
    ]
    /// The largest angle that is used unchanged, in radians. Larger angles are first reduced modulo
    /// the double nearest to a whole turn.
    private static let angleMax = 1_000_000.0

    /// The result for an infinity is NaN, as in the system's function.
    package static func sin(_ angle: Double) -> Double { sinAndCos(angle).sin }

    /// The result for an infinity is NaN, as in the system's function.
    package static func cos(_ angle: Double) -> Double { sinAndCos(angle).cos }

    /// Computes both functions at little more than the cost of one.
    package static func sinAndCos(_ angle: Double) -> (sin: Double, cos: Double) {
        let near =
            angle.magnitude <= angleMax ? angle : angle.truncatingRemainder(dividingBy: 2 * .pi)
        guard near.isFinite else { return (.nan, .nan) }
        let quarters = (near / (quarterHigh + quarterMiddle)).rounded()
        let coarse = (near - quarters * quarterHigh) - quarters * quarterMiddle
        let rest = coarse - quarters * quarterLow
        let (sin, cos) = (sine(rest), cosine(rest))
        switch Int(quarters) & 3 {
        case 0: return (sin, cos)
        case 1: return (cos, -sin)
        case 2: return (-sin, -cos)
        default: return (-cos, sin)
        }
    }

    /// The angle from the positive x axis to the direction of (`x`, `y`), -pi...pi. It is positive
    /// towards the positive y axis. The result is 0 or -0 for the origin and for NaN.
    package static func atan2(_ y: Double, _ x: Double) -> Double {
        // An infinity counts as the largest finite number.
        let largest = Double.greatestFiniteMagnitude
        let (width, height) = (min(x.magnitude, largest), min(y.magnitude, largest))
        let (long, short) = (max(width, height), min(width, height))
        guard long > 0, short >= 0 else { return y.sign == .minus ? -0.0 : 0 }
        // The factor keeps the sums of products finite.
        let factor = long > 1e300 ? 0.25 : 1
        var angle = arcTangent(short * factor, long * factor)
        if height > width { angle = (.pi / 2 - angle) + halfTurnRest / 2 }
        if x < 0 { angle = (.pi - angle) + halfTurnRest }
        return y.sign == .minus ? -angle : angle
    }

    /// The angle (0...pi) whose cosine is `cosine`; values outside -1...1 are clamped.
    package static func acos(_ cosine: Double) -> Double {
        let near = min(max(cosine, -1), 1)
        return atan2(((1 - near) * (1 + near)).squareRoot(), near)
    }

    /// The sine of an angle of at most an eighth of a turn, by Taylor's series. The terms after the
    /// 17th power are below 2^-62.
    private static func sine(_ x: Double) -> Double {
        let square = x * x
        var sum = 1.0 / 355_687_428_096_000
        sum = sum * square - 1.0 / 1_307_674_368_000
        sum = sum * square + 1.0 / 6_227_020_800
        sum = sum * square - 1.0 / 39_916_800
        sum = sum * square + 1.0 / 362_880
        sum = sum * square - 1.0 / 5_040
        sum = sum * square + 1.0 / 120
        sum = sum * square - 1.0 / 6
        return x + x * square * sum
    }

    /// The cosine of an angle of at most an eighth of a turn, by Taylor's series. The terms after
    /// the 18th power are below 2^-66.
    private static func cosine(_ x: Double) -> Double {
        let square = x * x
        var sum = -1.0 / 6_402_373_705_728_000
        sum = sum * square + 1.0 / 20_922_789_888_000
        sum = sum * square - 1.0 / 87_178_291_200
        sum = sum * square + 1.0 / 479_001_600
        sum = sum * square - 1.0 / 3_628_800
        sum = sum * square + 1.0 / 40_320
        sum = sum * square - 1.0 / 720
        sum = sum * square + 1.0 / 24
        // The sum below corrects the rounding error of 1 - square / 2.
        let half = square / 2
        let head = 1 - half
        return head + (((1 - head) - half) + square * square * sum)
    }

    /// The arc tangent of `short / long`, which is 0...1.
    private static func arcTangent(_ short: Double, _ long: Double) -> Double {
        // atan q = atan c + atan((q - c) / (1 + q c)). Here c is a number of eighths, so the second
        // argument is at most 1/16. The terms of its series after the 13th power are below 2^-63.
        let eighths = (short / long * 8).rounded()
        let near = eighths / 8
        let rest = (short - near * long) / (long + near * short)
        let square = rest * rest
        var sum = 1.0 / 13
        sum = sum * square - 1.0 / 11
        sum = sum * square + 1.0 / 9
        sum = sum * square - 1.0 / 7
        sum = sum * square + 1.0 / 5
        sum = sum * square - 1.0 / 3
        return arcTangents[Int(eighths)] + (rest + rest * square * sum)
    }
}
