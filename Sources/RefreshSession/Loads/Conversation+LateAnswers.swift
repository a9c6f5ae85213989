import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Late answers: the answers to loads that have ended. A late answer is counted and dropped. The
/// engine recognizes it by the load's identity (`Engine.isLateAnswer`).
extension Conversation {
    /// Counts an outcome for a load that has ended, if the outcome is an answer. If the outcome
    /// only confirms that the load was cancelled or timed out, it is not an answer.
    func recordLateAnswer(_ outcome: LoadOutcome) {
        if outcome.isAnswer { services.metrics.loads.recordLateAnswer() }
    }

    /// Counts a late answer. If the client sent it, reports it to the client.
    mutating func reportLateAnswer(
        ofViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        if let outcome = source.outcome, !outcome.isAnswer { return }
        services.metrics.loads.recordLateAnswer()
        guard let seq = source.seq else { return }
        report(Fault(.unknownLoad, field: .load, seq: seq, view: views[index].id), at: now)
    }

    /// Returns the kind and the view of a running load. If the load has ended, counts a late answer
    /// and returns nil.
    func resolveRunningLoad(_ load: LoadID) -> (LoadKind, ViewID)? {
        guard let index = viewIndex(generation: load.generation),
            let kind = views[index].engine.kind(ofRunning: load)
        else {
            services.metrics.loads.recordLateAnswer()
            return nil
        }
        return (kind, views[index].id)
    }
}
