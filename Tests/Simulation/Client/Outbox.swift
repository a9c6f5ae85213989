import RefreshProtocol

/// What a client has said and does not know to be handled: it says it again when it comes back.
/// Source: docs/protocol.md, "Coming back".
struct Outbox {
    private struct Kept {
        let seq: Int
        let view: String
        let isSample: Bool
        let message: JSONValue
    }

    /// The types of messages that are kept; of `scroll` and `pan` those of the last gesture.
    private static let intents: Set = [
        "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable",
        "configure", "appear", "loadBegan", "loadFinished",
    ]

    private var kept: [Kept] = []

    mutating func note(_ messages: [JSONValue]) {
        for message in messages {
            guard let type = message["type"]?.string, let seq = message["seq"]?.number,
                let view = message["view"]?.string
            else { continue }
            let isSample = type == "scroll" || type == "pan"
            guard isSample || Self.intents.contains(type) else { continue }
            kept.append(Kept(seq: Int(seq), view: view, isSample: isSample, message: message))
        }
    }

    /// A movement of the view's list begins: the last one is over.
    mutating func beginMovement(of view: String) {
        kept.removeAll { $0.isSample && $0.view == view }
    }

    /// All that has a `seq` up to this one was handled.
    mutating func handled(upTo seq: Int) { kept.removeAll { $0.seq <= seq } }

    /// The view is gone, and so is what was said of it.
    mutating func forget(view: String) { kept.removeAll { $0.view == view } }

    mutating func removeAll() { kept = [] }

    /// Whether the client has answered that load and does not know that this was heard.
    func hasAnswer(to load: String) -> Bool {
        kept.contains {
            $0.message["type"]?.string == "loadFinished" && $0.message["load"]?.string == load
        }
    }

    /// In the order of their `seq`.
    var messages: [JSONValue] { kept.map(\.message) }
}
