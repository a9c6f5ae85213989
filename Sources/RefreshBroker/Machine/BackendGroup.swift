/// What the machine knows of a backend: of all feeds that share its policy together.
struct BackendGroup: Sendable {
    let name: String
    let attemptsMax: Int
    let backOff: BackOff
    var gate: CallGate
    var breaker: CircuitBreaker
    var budget: RetryBudget
    var retries = 0
    var retriesRefused = 0
    var suspended = 0
    var shed = 0

    init(name: String, _ policy: BackendPolicy) {
        self.name = name
        attemptsMax = max(1, policy.retry.attempts)
        backOff = BackOff(policy.retry)
        gate = CallGate(policy)
        breaker = CircuitBreaker(policy.breaker)
        budget = RetryBudget(percent: policy.retry.budgetPercent)
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
