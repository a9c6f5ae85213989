/// How the broker got along with one backend, or rather with the feeds that share a policy.
package struct BackendTally: Hashable, Sendable {
    /// Calls that tried again.
    package var retries = 0
    /// Retries that the budget did not allow.
    package var retriesRefused = 0
    /// Whether it is asked now.
    package var breaker = BreakerState.closed
    /// How often the breaker opened, also anew after a probe that failed.
    package var timesOpened = 0
    /// Loads that failed with `backendSuspended`.
    package var suspended = 0
    /// Calls that have not returned, with the abandoned ones.
    package var callsInFlight = 0
    /// Loads that wait for a call now.
    package var queued = 0
    /// Loads that found no room: neither a call nor a place in the queue.
    package var shed = 0

    package init() {}
}
