internal import RefreshProtocol

/// A part of a step. It happens at one moment or waits for one.
enum StepOperation {
    /// Receives events until this time.
    case wait(until: Instant)
    /// Sends messages in one frame. It arrives `lateMs` later than the frames sent after it.
    case send([Pattern], asBatch: Bool, lateMs: Double)
    case sendText(String, lateMs: Double)
    case sample(FingerSample)
    /// Sends a hidden `ping`. Its answer shows that everything sent before it was handled.
    case sendMarker
    /// Waits until this time for the answer to the hidden `ping`.
    case awaitMarker(until: Instant)
    case awaitExpectation(ExpectationWatch)
    case markAllRead
    case feedEvent(FeedEvent, feed: String)
    case assign(String, Pattern)
}

/// An expectation that is being awaited.
struct ExpectationWatch {
    let expectation: Expectation
    let deadline: Instant
    /// The state that has differed least so far. The report shows it instead of the last state.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
