/// The counters of one backend. Each counter is a sum over all feeds that share the backend's
/// policy.
package struct BackendTally: Hashable, Sendable {
    /// The number of calls that were retries.
    package var retries = 0
    /// The number of retries that the retry budget refused.
    package var retriesRefused = 0
    /// The current state of the circuit breaker.
    package var breaker = BreakerState.closed
    /// How many times the breaker has opened, including the times after a failed probe. A probe is
    /// a call that tests whether the backend works again.
    package var timesOpened = 0
    /// The number of loads that failed with `backendSuspended`.
    package var suspended = 0
    /// The number of calls that have not returned, including abandoned calls, whose answers are not
    /// needed.
    package var callsInFlight = 0
    /// The number of loads that are queued for a call now.
    package var queued = 0
    /// The number of loads that failed with `backendBusy`: no call was free, and the load could not
    /// be queued.
    package var shed = 0

    package init() {}
}
