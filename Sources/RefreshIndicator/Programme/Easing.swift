import RefreshProtocol

/// The interpolation from one key to the next. Source: docs/indicators.md, "Tracks, keys, easing";
/// CSS Easing Functions Level 1.
package enum Easing: Hashable, Sendable, Codable {
    /// The places at which a stepped easing jumps.
    package enum Jump: String, CaseIterable, Sendable, Codable {
        case start, end, none, both
    }

    case linear
    /// The two inner control points of the curve. Both x coordinates are within 0...1.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)
    case steps(Int, Jump)
    /// A damped oscillation towards the later value. `damping` is above 0 and below 1. `periods` is
    /// the number of periods that the spring would have without damping in the whole interval.
    case spring(damping: Double, periods: Double)

    package static let ease = cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)
    package static let easeIn = cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    package static let easeOut = cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    package static let easeInOut = cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// The value of the earlier key is unchanged until the later key.
    package static let hold = steps(1, .end)

    /// The easings that have a name on the wire.
    package static let named: [(name: String, easing: Easing)] = [
        ("linear", linear), ("ease", ease), ("easeIn", easeIn), ("easeOut", easeOut),
        ("easeInOut", easeInOut), ("hold", hold),
    ]

    /// The progress of the value at the fraction `u` of the interval. It is 0 at the beginning of
    /// the interval and 1 at its end. Within the interval, it can also be below 0 or above 1.
    package func value(at u: Double) -> Double {
        if u <= 0 { return 0 }
        if u >= 1 { return 1 }
        switch self {
        case .linear: return u
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return CubicEasing(x1, y1, x2, y2).value(at: u)
        case .steps(let count, let jump): return Self.steps(count, jump, at: u)
        case .spring(let damping, let periods):
            let frequency = 2 * Double.pi * periods
            let decay = damping * frequency
            let swing = frequency * (1 - damping * damping).squareRoot()
            let (sine, cosine) = CircularFunctions.sinAndCos(swing * u)
            return 1 - Exponential.exp(-decay * u) * (cosine + decay / swing * sine)
        }
    }

    private static func steps(_ count: Int, _ jump: Jump, at u: Double) -> Double {
        let step = (u * Double(count)).rounded(.down)
        switch jump {
        case .start: return (step + 1) / Double(count)
        case .end: return step / Double(count)
        case .none: return step / Double(count - 1)
        case .both: return (step + 1) / Double(count + 1)
        }
    }
}
