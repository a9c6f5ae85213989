/// The part of the state of `LoadBroker` that belongs to one backend. The group consists of all
/// feeds that share the backend's policy.
struct BackendGroup: Sendable {
    let name: String
    private(set) var attemptsMax: Int
    private(set) var backOff: BackOff
    var gate: CallGate
    var breaker: CircuitBreaker
    var retryBudget: RetryBudget
    var retries = 0
    var retriesRefused = 0
    var suspended = 0
    var shed = 0
    private var policy: BackendPolicy

    init(name: String, _ policy: BackendPolicy) {
        self.name = name
        self.policy = policy
        attemptsMax = max(1, policy.retry.attempts)
        backOff = BackOff(policy.retry)
        gate = CallGate(policy)
        breaker = CircuitBreaker(policy.breaker)
        retryBudget = RetryBudget(percent: policy.retry.budgetPercent)
    }

    /// Applies a new policy. Counters, running calls and queued loads are kept. If the breaker
    /// policy has changed, the breaker is closed. If the percentage of the retry budget has
    /// changed, the budget begins again with `RetryBudget.freeRetries`.
    mutating func apply(_ policy: BackendPolicy) {
        let old = self.policy
        self.policy = policy
        attemptsMax = max(1, policy.retry.attempts)
        backOff = BackOff(policy.retry)
        gate.apply(policy)
        if policy.breaker != old.breaker {
            breaker = CircuitBreaker(policy.breaker, timesOpened: breaker.timesOpened)
        }
        if policy.retry.budgetPercent != old.retry.budgetPercent {
            retryBudget = RetryBudget(percent: policy.retry.budgetPercent)
        }
    }

    var tally: BackendTally {
        var tally = BackendTally()
        tally.retries = retries
        tally.retriesRefused = retriesRefused
        tally.breaker = breaker.state
        tally.timesOpened = breaker.timesOpened
        tally.suspended = suspended
        tally.callsInFlight = gate.running
        tally.queued = gate.queued
        tally.shed = shed
        return tally
    }
}
