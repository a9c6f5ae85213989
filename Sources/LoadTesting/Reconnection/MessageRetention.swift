internal import RefreshProtocol

/// How long a client that comes back keeps a message that it has sent, to send it again. Source:
/// docs/coming-back.md, "What the client sends again".
enum MessageRetention: Hashable, Sendable {
    /// The place of a sample in its gesture.
    enum Place: Hashable, Sendable {
        case first, between, last
    }

    /// The message is kept until the daemon has handled it.
    case request
    /// The message is also dropped when a newer sample of the view takes its place.
    case sample(view: String, Place)

    private static let requests: Set<String> = [
        "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable",
        "configure", "appear", "disappear", "reveal", "read",
    ]

    /// Nil if the message is not kept.
    init?(of message: JSONValue) {
        guard message["seq"] != nil, let type = message["type"]?.string else { return nil }
        switch type {
        case "scroll", "pan":
            let place: Place =
                switch message["phase"]?.string {
                case "began": .first
                case "ended", "cancelled": .last
                default: .between
                }
            self = .sample(view: message["view"]?.string ?? "", place)
        default:
            guard Self.requests.contains(type) else { return nil }
            self = .request
        }
    }
}
