internal import RefreshProtocol

/// A backend call that has not returned.
struct RunningCall: Sendable {
    /// The load it runs for; nil: it was abandoned. Then it still counts against the limits, so
    /// that quick starting and leaving cannot pile up calls, and an equal request begins another.
    var flight: UInt64?
    let group: Int
    let began: Instant
    /// Whether the breaker waits for it.
    var isProbe: Bool
    /// Its answer is being handled: there is nothing to abort any more.
    var hasReturned = false
}
