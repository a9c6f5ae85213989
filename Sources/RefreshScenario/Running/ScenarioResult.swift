/// How a scenario went.
package struct ScenarioResult: Hashable, Sendable {
    package var scenario: Scenario
    package var verdict: Verdict
    /// What went over the connection, by phase, as far as the scenario got.
    package var exchanges: [[Exchange]]
    /// Where what was drawn at random came from; nil: nothing was drawn.
    package var seed: UInt64?

    package enum Verdict: Hashable, Sendable {
        case passed
        case failed(Failure)
        /// It was not played: what it needs is not offered there, as the reason says.
        case skipped(reason: String)
    }

    /// Where and why a scenario failed.
    package struct Failure: Hashable, Sendable {
        /// The index of the phase.
        package var phase: Int
        /// The index of the step in it; nil: at the end of the phase.
        package var step: Int?
        package var reason: StepFailure
    }

    /// Why it was not played; nil: it was.
    package var skippedReason: String? {
        if case .skipped(let reason) = verdict { reason } else { nil }
    }

    package var failure: Failure? {
        if case .failed(let failure) = verdict { failure } else { nil }
    }
}
