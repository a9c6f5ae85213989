/// Whether a backend is asked. Source: docs/backends.md, "Circuit breaker".
package enum BreakerState: String, CaseIterable, Sendable {
    /// It is asked.
    case closed
    /// It is not asked until its time is over and somebody asks then.
    case open
    /// One call is on its way to see whether it lives.
    case halfOpen
}
