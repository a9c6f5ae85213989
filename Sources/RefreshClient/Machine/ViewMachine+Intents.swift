import RefreshEngine
import RefreshProtocol

/// The loads that gestures have requested. The daemon follows a gesture by its samples. If the
/// connection is lost before it has confirmed them, it may have dropped the gesture or may drop it
/// later. The client then requests the load itself, unless the daemon has begun it.
extension ViewMachine {
    /// A load that a gesture has requested at the replica.
    struct Intent: Hashable, Sendable {
        /// The message that requests the load.
        var request: JSONValue
        /// The number of the last message that belongs to the gesture, or of the sent request.
        var seq: UInt64
        /// Whether there was no connection, or it was lost before the daemon confirmed the gesture.
        var isOffline: Bool
        /// Whether the request was sent.
        var isSent = false
        /// Whether the daemon has begun such a load since the connection was lost.
        var isAnswered = false
    }

    /// Records the load that the replica has begun, if the daemon does not begin it by itself.
    mutating func recordIntent(_ order: LoadOrder) {
        guard order.cause.mayBeSent else { return }
        let request = JSONValue.object([
            .init("type", .string(order.kind == .refresh ? "refresh" : "loadMore")),
            .init("view", .string(name)), .init("cause", .string(order.cause.rawValue)),
        ])
        intents[order.kind] = Intent(request: request, seq: lastSeq, isOffline: isLocal)
    }

    /// The connection is lost. The daemon has handled the messages up to `ack`.
    mutating func keepUnconfirmedIntents(ack: UInt64) {
        intents = intents.filter { $0.value.seq > ack }
        for kind in intents.keys { intents[kind]?.isOffline = true }
    }

    /// Records that the daemon has begun or ended a load.
    mutating func answerIntent(by message: JSONValue) {
        let kind: LoadKind? =
            switch message["type"]?.string {
            // Operations on live items answer no request.
            case "items" where message["operations"] != nil: nil
            case "items":
                ["replace", "patch"].contains(message["mode"]?.string) ? .refresh : .more
            case "load", "loading": message["kind"]?.string.flatMap(LoadKind.init)
            default: nil
            }
        if let kind { intents[kind]?.isAnswered = true }
    }

    /// Removes the intents that the daemon has answered, and returns the requests for the others.
    /// `isPending`: whether the daemon has still to handle a message up to a number.
    mutating func takeRequests(
        isPending: (UInt64) -> Bool
    ) -> [(kind: LoadKind, request: JSONValue)] {
        guard remote.isAttached, !isRefused else { return [] }
        var requests: [(kind: LoadKind, request: JSONValue)] = []
        for kind in LoadKind.allCases {
            guard let intent = intents[kind], intent.isOffline, !isPending(intent.seq) else {
                continue
            }
            if intent.isSent || intent.isAnswered || isLoading(kind) {
                intents[kind] = nil
            } else {
                requests.append((kind, intent.request))
            }
        }
        return requests
    }

    /// Records that the request of an intent was sent with this number.
    mutating func recordRequest(_ kind: LoadKind, seq: UInt64) {
        intents[kind]?.isSent = true
        intents[kind]?.seq = seq
        // The daemon can answer it together with the message that has played a cue.
        if hapticSeq != nil { hapticSeq = seq }
    }

    /// Whether the daemon performs such a load, or shows the end of one.
    private func isLoading(_ kind: LoadKind) -> Bool {
        let role: EdgeRole = kind == .refresh ? .refresh : .loadMore
        let states: Set<EdgeState> = [.triggered, .refreshing, .loading, .failed, .noMore]
        return remote.edges.values.contains { $0.role == role && states.contains($0.state) }
    }
}
