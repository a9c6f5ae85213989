/// How fast a list that was flicked and meets nothing comes to rest. UIScrollView's two rates.
package enum DecelerationRate: String, CaseIterable, WireNamed, Codable, Sendable {
    /// 0.998 of the velocity is left after each millisecond.
    case normal
    /// 0.99 of the velocity is left after each millisecond.
    case fast

    /// The part of the velocity that is left after a millisecond.
    package var keptPerMillisecond: Double {
        switch self {
        case .normal: 0.998
        case .fast: 0.99
        }
    }

    /// How much of the velocity is lost, per second.
    ///
    /// UIScrollView moves in steps of a millisecond, each a little shorter: together `kept / (1 -
    /// kept)` steps' worth of the first velocity. The continuous movement that goes equally far
    /// decays by the inverse of that, 0.1 % faster than by `-log(kept)`.
    package var decayPerSecond: Double { 1000 * (1 - keptPerMillisecond) / keptPerMillisecond }
}
