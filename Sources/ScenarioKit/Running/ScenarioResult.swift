/// The result of a scenario.
package struct ScenarioResult: Hashable, Sendable {
    package var scenario: Scenario
    package var verdict: Verdict
    /// The frames sent and received, for each phase that was started.
    package var exchanges: [[Exchange]]
    /// The seed of the random values. Nil if none was drawn.
    package var seed: UInt64?

    package enum Verdict: Hashable, Sendable {
        case passed
        case failed(Failure)
        /// The scenario was not run, because the server lacks a required feature. `reason` names
        /// the feature.
        case skipped(reason: String)
    }

    /// Where and why a scenario failed.
    package struct Failure: Hashable, Sendable {
        /// The index of the phase.
        package var phase: Int
        /// The index of the step in the phase. Nil if the failure is at the end of the phase.
        package var step: Int?
        package var reason: StepFailure
    }

    /// The reason why the scenario was not run. Nil if it was run.
    package var skippedReason: String? {
        if case .skipped(let reason) = verdict { reason } else { nil }
    }

    package var failure: Failure? {
        if case .failed(let failure) = verdict { failure } else { nil }
    }
}
