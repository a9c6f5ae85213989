internal import RefreshProtocol

/// A part of a step that is done at one moment or waits for one.
enum StepOperation {
    /// Receives events until this time.
    case wait(until: Instant)
    /// Sends messages in one frame. It arrives `lateMs` later than the frames sent after it.
    case send([Pattern], asBatch: Bool, lateMs: Double)
    case sendText(String, lateMs: Double)
    case sample(FingerSample)
    /// Sends a hidden `ping`, whose answer shows that everything sent before it was handled.
    case sendMarker
    /// Waits for the answer to that ping until this time.
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
    /// The state so far that differed least. The report shows this one rather than the last.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
