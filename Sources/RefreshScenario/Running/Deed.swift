internal import RefreshProtocol

/// A piece of a step that is done at one moment, or waits for one.
enum Deed {
    /// Takes in what comes until then.
    case wait(until: Instant)
    /// Sends messages in one frame; `lateMs`: it arrives so much later than what is sent behind it.
    case send([Pattern], asBatch: Bool, lateMs: Double)
    case sendText(String, lateMs: Double)
    case sample(FingerSample)
    /// Asks, by a `ping` that is not shown, whether all that was sent was handled.
    case ask
    /// Waits for the answer to that until then.
    case hear(until: Instant)
    case meet(ExpectationWatch)
    case readAll
    case say(FeedWord, feed: String)
    case assign(String, Pattern)
}
