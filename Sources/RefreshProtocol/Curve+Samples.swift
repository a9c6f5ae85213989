extension Curve {
    /// The travelled fraction at equal steps of time, for curves that the wire has no name for.
    package var samples: [Double]? {
        self == .spring ? Self.springSamples : nil
    }

    /// The fraction travelled after the fraction `time` (0...1) of the duration.
    package func fraction(at time: Double) -> Double {
        let time = min(max(time, 0), 1)
        switch self {
        case .linear: return time
        case .easeIn: return CubicEasing(0.42, 0, 1, 1).value(at: time)
        case .easeOut: return CubicEasing(0, 0, 0.58, 1).value(at: time)
        case .easeInOut: return CubicEasing(0.42, 0, 0.58, 1).value(at: time)
        case .spring:
            let steps = Double(Self.springSamples.count - 1)
            let index = min(Int(time * steps), Self.springSamples.count - 2)
            let part = time * steps - Double(index)
            let from = Self.springSamples[index]
            return from + (Self.springSamples[index + 1] - from) * part
        }
    }

    /// A critically damped spring from rest, `1 - (1 + w t) exp(-w t)` with w = 9 over the duration,
    /// sampled at sixteenths, rounded to four places, the last one closed to 1 (it misses 0.0012).
    private static let springSamples: [Double] = [
        0, 0.1097, 0.3101, 0.5029, 0.6575, 0.771, 0.8503, 0.9037, 0.9389,
        0.9616, 0.9761, 0.9852, 0.9909, 0.9945, 0.9966, 0.998, 1,
    ]
}
