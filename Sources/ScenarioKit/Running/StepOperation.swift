internal import RefreshProtocol

/// A part of a step: an action at one moment, or a wait.
enum StepOperation {
    /// Receives events until this time.
    case wait(until: Instant)
    /// Sends messages in one frame. The frame is delayed by `lateMs` milliseconds, so that frames
    /// sent after it arrive earlier.
    case send([Pattern], asBatch: Bool, lateMs: Double)
    case sendText(String, lateMs: Double)
    case sample(FingerSample)
    /// Sends a `ping` that the report hides. Its answer shows that all earlier frames were handled.
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
    /// Of all states so far, the one that differs least from the expectation. The report shows it
    /// instead of the last state.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
