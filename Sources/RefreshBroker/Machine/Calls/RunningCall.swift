internal import RefreshProtocol

/// A backend call that has not returned.
struct RunningCall: Sendable {
    /// The number of the load of the call; nil if the call was abandoned. A request cannot join an
    /// abandoned call. An abandoned call still counts against the limits. If abandoned calls did
    /// not count, many calls could accumulate because of rapid starts and cancellations.
    var flight: UInt64?
    let group: Int
    let began: Instant
    /// Whether the call is the probe whose result the circuit breaker awaits.
    var isProbe: Bool
    /// Whether the answer has arrived and is being handled. The call must then not be aborted.
    var hasReturned = false
}

/// The identity of one backend call. It is never reused. By comparing identities, the machine
/// detects an answer that arrives late or twice, or that is for an abandoned call.
package struct CallID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
