internal import RefreshProtocol

/// The retries of failed calls, within the retry budget of the backend.
extension LoadBroker {
    /// Retries the call of a load after a failure, or ends the load.
    mutating func retryOrEnd(
        _ number: UInt64, _ id: CallID, after failure: LoadFailure, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard let flight = flights[number] else { return }
        guard let pauseMs = reserveRetryPause(of: flight, after: failure, at: now) else {
            return end(number, flight, with: failure, of: id, at: now, into: &effects)
        }
        flights[number]?.phase = .pausing
        flights[number]?.pendingProgress = nil
        setTimer(of: number, to: now.advanced(byMilliseconds: Double(pauseMs)))
        deliver(
            to: number, .retrying(attempt: flight.attempt + 1, afterMs: pauseMs, failure),
            into: &effects)
    }

    /// Takes one retry from the budget, and returns the milliseconds until the next attempt.
    /// Returns nil if there is no next attempt.
    private mutating func reserveRetryPause(
        of flight: SharedLoad<Waiter>, after failure: LoadFailure, at now: Instant
    ) -> Int? {
        let group = flight.group
        guard failure.isTemporary, flight.attempt < groups[group].attemptsMax,
            let deadline = lastDeadline(of: flight)
        else { return nil }
        let pauseMs = groups[group].backOff.pauseMs(
            after: flight.attempt, atLeast: failure.retryAfterMs, &random)
        let end = now.advanced(byMilliseconds: Double(pauseMs))
        guard end < deadline, groups[group].breaker.refusal(at: end) == nil else { return nil }
        return update(group: group) { group in
            if group.retryBudget.consumeRetry() { return pauseMs }
            group.retriesRefused += 1
            return nil
        }
    }
}
