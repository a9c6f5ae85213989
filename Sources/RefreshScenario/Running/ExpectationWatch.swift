internal import RefreshProtocol

/// An expectation that is waited for.
struct ExpectationWatch {
    let expectation: Expectation
    let deadline: Instant
    /// Of all states on the way the one that differed least: the report shows that, not the last.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
