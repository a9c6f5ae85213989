/// How a case came out.
package struct CaseResult: Sendable {
    package var subject: ConformanceStatement
    package var verdict: Verdict
    /// Why, where it did not pass; what is lacking, where it was not asked.
    package var reason: String?
    /// The step that did not hold.
    package var step: String?
    package var expected: String?
    package var came: String?
    /// Where what came differs.
    package var differences: [String] = []
    package var talk: [Talk] = []
    package var durationMs: Double = 0

    /// What the case needs was not there.
    static func skipped(_ subject: ConformanceStatement, for what: String) -> CaseResult {
        CaseResult(subject: subject, verdict: .skipped, reason: "not offered: \(what)")
    }

    /// Nobody was there any more who could be asked.
    static func notAsked(_ subject: ConformanceStatement, because why: String) -> CaseResult {
        CaseResult(subject: subject, verdict: .skipped, reason: "not asked: \(why)")
    }

    /// Something else came than was expected.
    mutating func take(_ failure: StepFailure, as verdict: Verdict) {
        self.verdict = verdict
        expected = failure.expected
        came = failure.came
        differences = failure.mismatches.map(\.description)
        reason = "expected \(failure.expected), came \(failure.came)"
    }

    /// As in Autobahn's suite; `skipped` is our own.
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case passed
        /// It does what the page does not wish, and harms nobody; or it says what the page does not
        /// name.
        case nonStrict
        /// What it does is its own affair.
        case informational
        case failed
        /// It was not asked: it does not offer what the case needs, or is gone.
        case skipped
    }

    /// What went over a connection in one phase.
    package struct Talk: Sendable {
        package var connection: String
        package var phase: String
        package var exchanges: [Exchange] = []
    }
}
