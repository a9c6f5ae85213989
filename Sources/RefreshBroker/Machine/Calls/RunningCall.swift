internal import RefreshProtocol

/// A backend call that has not returned.
struct RunningCall: Sendable {
    /// The load of the call; nil if the call was abandoned. An abandoned call still counts against
    /// the limits, so that rapid starts and cancellations cannot accumulate calls. An equal request
    /// starts another call.
    var flight: UInt64?
    let group: Int
    let began: Instant
    /// Whether the call is the probe whose result the circuit breaker awaits.
    var isProbe: Bool
    /// Whether the answer has arrived and is being handled. The call must then not be aborted.
    var hasReturned = false
}

/// The identity of one backend call. It is never reused, so an answer that arrives late, twice or
/// for an abandoned call is recognized by comparison.
package struct CallID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
