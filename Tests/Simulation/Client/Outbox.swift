import RefreshProtocol

/// The sent messages that the daemon has not acknowledged. The client sends them again when its
/// session resumes. Source: docs/protocol.md, "Coming back".
struct Outbox {
    private struct Entry {
        let seq: Int
        let view: String
        let isSample: Bool
        let message: JSONValue
    }

    /// The types of messages that are kept. Of `scroll` and `pan` messages, only those of the last
    /// movement are kept of which a sample was sent.
    private static let intents: Set = [
        "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable",
        "configure", "appear", "disappear", "loadBegan", "loadFinished",
    ]

    private var unacknowledged: [Entry] = []

    mutating func record(_ messages: [JSONValue]) {
        for message in messages {
            guard let type = message["type"]?.string, let seq = message["seq"]?.number,
                let view = message["view"]?.string
            else { continue }
            let isSample = type == "scroll" || type == "pan"
            guard isSample || Self.intents.contains(type) else { continue }
            if isSample { removeSamples(before: message, of: view) }
            unacknowledged.append(
                Entry(seq: Int(seq), view: view, isSample: isSample, message: message))
        }
    }

    /// If the sample begins a movement, removes the samples of the view's previous movement.
    private mutating func removeSamples(before sample: JSONValue, of view: String) {
        let last = unacknowledged.last { $0.isSample && $0.view == view }
        guard sample["phase"]?.string == "began" || last?.message["phase"]?.string == "idle" else {
            return
        }
        unacknowledged.removeAll { $0.isSample && $0.view == view }
    }

    /// Removes the messages whose number is at most `seq`, because the daemon has handled them.
    mutating func handled(upTo seq: Int) { unacknowledged.removeAll { $0.seq <= seq } }

    /// Removes the messages of the view, because it is detached.
    mutating func forget(view: String) { unacknowledged.removeAll { $0.view == view } }

    mutating func removeAll() { unacknowledged = [] }

    /// Whether the outbox contains the client's answer to the load. It does until the daemon has
    /// acknowledged the answer.
    func hasAnswer(to load: String) -> Bool {
        unacknowledged.contains {
            $0.message["type"]?.string == "loadFinished" && $0.message["load"]?.string == load
        }
    }

    /// Whether a sample of the view is kept.
    func hasSample(of view: String) -> Bool {
        unacknowledged.contains { $0.isSample && $0.view == view }
    }

    /// The kept messages in the order of their `seq`.
    var messages: [JSONValue] { unacknowledged.map(\.message) }
}
