internal import RefreshProtocol

/// Late answers: answers and progress of a call for which no load waits. The load has ended, or the
/// call was answered before. The broker recognizes a late answer by the call's identity (`CallID`),
/// counts it and drops it. A late answer changes neither a load nor the cache.
extension LoadBroker {
    /// Counts a second answer to a call.
    mutating func recordLateAnswer() { lateAnswers += 1 }

    /// Counts the answer to an abandoned call. If the call was the probe of the circuit breaker,
    /// the answer reveals nothing about the backend.
    mutating func recordLateAnswer(to call: RunningCall, at now: Instant) {
        recordLateAnswer()
        recordVerdict(call, .unknown, at: now)
    }

    /// Counts the progress of a call for which no load waits.
    mutating func recordLateProgress() { lateProgress += 1 }

    /// Counts an event of a node that is not asked for the load any more.
    mutating func recordLateOwnerEvent() { lateOwnerEvents += 1 }
}
