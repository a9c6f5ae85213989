/// The counters of one backend. Each counter is a sum over all feeds that share the backend's
/// policy.
package struct BackendTally: Hashable, Sendable {
    /// Calls that were retries.
    package var retries = 0
    /// Retries that the budget refused.
    package var retriesRefused = 0
    /// The current state of the circuit breaker.
    package var breaker = BreakerState.closed
    /// How many times the breaker has opened, including the times after a failed probe.
    package var timesOpened = 0
    /// Loads that failed with `backendSuspended`.
    package var suspended = 0
    /// Calls that have not returned, including abandoned ones.
    package var callsInFlight = 0
    /// Loads that are queued for a call now.
    package var queued = 0
    /// Loads refused because neither a call nor a place in the queue was free.
    package var shed = 0

    package init() {}
}
