import RefreshProtocol

/// A message of a recorded session.
struct RecordedMessage: Hashable {
    enum Speaker: String {
        case client, daemon
    }

    /// Milliseconds.
    var t: Double
    var speaker: Speaker
    var type: String
    /// Empty: of no view.
    var view: String
    var value: JSONValue

    /// Whether it says that something is wrong.
    var isTrouble: Bool { type == "error" }
}
