package import ScenarioKit

/// The result of a case.
package struct CaseResult: Sendable {
    package var subject: ConformanceStatement
    package var verdict: Verdict
    /// The reason why the case did not pass. For a skipped case, this is the missing feature.
    package var reason: String?
    /// The step that failed.
    package var step: String?
    package var expected: String?
    package var came: String?
    /// The places where the actual message differs from the expected one.
    package var differences: [String] = []
    package var transcript: [PhaseTranscript] = []
    package var durationMs: Double = 0

    /// Returns the result of a case that was skipped, because the server or client lacks a required
    /// feature.
    static func skipped(_ subject: ConformanceStatement, for what: String) -> CaseResult {
        CaseResult(subject: subject, verdict: .skipped, reason: "not offered: \(what)")
    }

    /// Returns the result of a case that was not run, because the server or client is not
    /// available.
    static func notRun(_ subject: ConformanceStatement, because why: String) -> CaseResult {
        CaseResult(subject: subject, verdict: .skipped, reason: "not run: \(why)")
    }

    /// Records a step whose actual result differs from the expected one.
    mutating func recordFailure(_ failure: StepFailure, as verdict: Verdict) {
        self.verdict = verdict
        expected = failure.expected
        came = failure.came
        differences = failure.mismatches.map(\.description)
        reason = "expected \(failure.expected), found \(failure.came)"
    }

    /// The verdicts of the Autobahn test suite for WebSockets, and `skipped`.
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case passed
        /// The server's behaviour is harmless, but the documentation discourages it. Or a message
        /// has a member that the documentation does not name.
        case nonStrict
        /// The statement allows several behaviours, and the server does not behave as the case
        /// expects.
        case informational
        case failed
        /// The case was not run, because the server or client lacks a required feature or has
        /// become unavailable.
        case skipped
    }

    /// The frames sent and received over a connection in one phase.
    package struct PhaseTranscript: Sendable {
        package var connection: String
        package var phase: String
        package var exchanges: [Exchange] = []
    }
}
