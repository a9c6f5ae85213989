internal import RefreshProtocol

/// An expectation that is being awaited.
struct ExpectationWatch {
    let expectation: Expectation
    let deadline: Instant
    /// The state so far that differed least. The report shows this one rather than the last.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
