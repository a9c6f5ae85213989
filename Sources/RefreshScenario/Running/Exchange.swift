internal import RefreshProtocol

/// One thing that went over the connection, for the report.
package struct Exchange: Hashable, Sendable {
    /// Who did it.
    package enum Side: String, Hashable, Sendable {
        case client = ">"
        case daemon = "<"
    }

    package var side: Side
    /// On the client's clock, counted from the start of the scenario.
    package var afterMs: Double
    package var text: String
    /// Whose connection it was; nil: that of the client without a name.
    package var client: String?
}

extension Exchange: CustomStringConvertible {
    package var description: String {
        (client.map { "\($0) " } ?? "")
            + "\(side.rawValue) \(JSONValue.number(afterMs.rounded()).text)ms \(text)"
    }
}

/// A message from the daemon, taken out of its frame.
struct ReceivedMessage {
    var value: JSONValue
    /// The number of the frame it came in.
    var frame: Int
    /// Whether an expectation named it.
    var isMatched = false

    var type: String? { value["type"]?.string }
    var view: String? { value["view"]?.string }
}
