internal import RefreshProtocol

/// A part of a step: an action at one moment, or a wait.
enum StepOperation {
    /// Receives events until this time.
    case wait(until: Instant)
    /// Sends messages in one frame. The frame is delayed by `lateMs` milliseconds. Frames that are
    /// sent during the delay arrive before it.
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
    /// The failure for the state that differs least from the expectation, of all states so far. The
    /// report shows this state instead of the last one.
    var nearest: StepFailure?

    init(_ expectation: Expectation, until deadline: Instant) {
        self.expectation = expectation
        self.deadline = deadline
    }
}
