/// The state of a backend's circuit breaker. Source: docs/backends.md, "Circuit breaker".
package enum BreakerState: String, CaseIterable, Sendable {
    /// Calls are made.
    case closed
    /// No calls are made until its time is over and a new load arrives.
    case open
    /// One call, the probe, is running to find out whether the backend works.
    case halfOpen
}
