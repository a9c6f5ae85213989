/// The rate at which the velocity of a flicked list decays. The rates are those of UIScrollView.
public enum DecelerationRate: String, CaseIterable, WireNamed, Codable, Sendable {
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
    /// UIScrollView moves the list in steps of a millisecond, each a little shorter than the one
    /// before. The steps together are as long as `kept / (1 - kept)` steps at the initial velocity.
    /// A continuous movement over the same distance must decay by `(1 - kept) / kept` in a
    /// millisecond. This is a little more than `-log(kept)`: 0.1 % more at the normal rate, and 0.5
    /// % more at the fast rate.
    package var decayPerSecond: Double { 1000 * (1 - keptPerMillisecond) / keptPerMillisecond }
}
