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

    /// As in Autobahn's suite.
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case passed
        /// It does what the page does not wish, and harms nobody; or it says what the page does not
        /// name.
        case nonStrict
        /// The server does not offer what is asked for, or what it does is its own affair.
        case informational
        case failed
    }

    /// What went over a connection in one phase.
    package struct Talk: Sendable {
        package var connection: String
        package var phase: String
        package var exchanges: [Exchange] = []
    }
}
