/// The rate at which a flicked list without obstacles comes to rest: UIScrollView's two rates.
package enum DecelerationRate: String, CaseIterable, WireNamed, Codable, Sendable {
    /// Each millisecond keeps 0.998 of the velocity.
    case normal
    /// Each millisecond keeps 0.99 of the velocity.
    case fast

    /// The fraction of the velocity that remains after a millisecond.
    package var keptPerMillisecond: Double {
        switch self {
        case .normal: 0.998
        case .fast: 0.99
        }
    }

    /// The decay of the velocity per second.
    ///
    /// UIScrollView moves in steps of a millisecond, each a little shorter. Together they equal
    /// `kept / (1 - kept)` steps at the initial velocity. A continuous movement over the same
    /// distance decays by the inverse of that, 0.1 % faster than by `-log(kept)`.
    package var decayPerSecond: Double { 1000 * (1 - keptPerMillisecond) / keptPerMillisecond }
}
