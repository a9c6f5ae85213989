internal import RefreshProtocol

/// One frame or event on the connection, for the report.
package struct Exchange: Hashable, Sendable {
    /// The side that sent the frame or caused the event.
    package enum Side: String, Hashable, Sendable {
        case client = ">"
        case daemon = "<"
    }

    package var side: Side
    /// The time since the start of the scenario, on the client's clock.
    package var afterMs: Double
    package var text: String
    /// The name of the client; nil for the unnamed one.
    package var client: String?

    package init(side: Side, afterMs: Double, text: String, client: String? = nil) {
        self.side = side
        self.afterMs = afterMs
        self.text = text
        self.client = client
    }
}

extension Exchange: CustomStringConvertible {
    package var description: String {
        (client.map { "\($0) " } ?? "")
            + "\(side.rawValue) \(JSONValue.number(afterMs.rounded()).text)ms \(text)"
    }
}

/// A single message from the daemon. Its frame can contain several messages.
struct ReceivedMessage {
    var value: JSONValue
    /// The number of the frame that contained the message.
    var frame: Int
    /// Whether an expectation matched the message.
    var isMatched = false

    var type: String? { value["type"]?.string }
    var view: String? { value["view"]?.string }
}
