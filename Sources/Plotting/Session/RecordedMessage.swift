import RefreshProtocol
internal import WireContract

/// A message of a recorded session.
struct RecordedMessage: Hashable {
    enum Speaker: String {
        case client, daemon
    }

    /// Milliseconds.
    var t: Double
    var sender: Speaker
    var type: String
    /// The name of the view; empty if the message is not about one.
    var view: String
    var value: JSONValue

    /// Whether the message is an error.
    var isError: Bool { type == "error" }
}
