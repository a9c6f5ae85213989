package import RefreshBroker
internal import RefreshProtocol

/// A message between the nodes of a cluster. Source: docs/cluster.md, "Messages".
package struct BusMessage: Hashable, Sendable {
    /// The version of the format. A message with another version is dropped.
    package static let version = 1

    /// The node that has sent the message, by its own statement. The bus does not prove it: every
    /// process with the credentials of the bus can send a message with any identity.
    package var sender: NodeID
    package var content: Content

    package init(from sender: NodeID, _ content: Content) {
        self.sender = sender
        self.content = content
    }

    package enum Content: Hashable, Sendable {
        case state(NodeState)
        /// The sender stops.
        case leave
        /// A change was reported at the sender. The changes of each feed are numbered 1, 2, 3, …
        case changed(FeedChange, number: UInt64)
        /// The sender's counts of clients. They are numbered 1, 2, 3, …
        case counts(NodeCounts, number: UInt64)
        /// The sender asks for a request. The loads of a node are numbered in increasing order.
        case load(AskedLoad, number: UInt64)
        /// The sender does not need the answer any more.
        case cancel(number: UInt64)
        /// The sender performs a load for the receiver, and reports an event of it.
        case event(OwnerEvent, number: UInt64)
        /// The sender requests the sessions of all nodes whose names sort after `after`.
        case list(after: String?, number: UInt64)
        /// The sessions of the sender.
        case listed(SessionPage, number: UInt64)
        /// A watcher of the sender receives the selected events of all nodes.
        case watch(EventSelection, number: UInt64)
        case unwatch(number: UInt64)
        /// Events of the sender's sessions, each a JSON object.
        case watched([[UInt8]], number: UInt64)
    }
}

/// The type of a bus message. The raw value is the type on the wire.
package enum BusMessageType: String, CaseIterable, Sendable {
    case state, leave, changed, counts
    case load, cancel, waiting, progress, retrying, page, failed, refused
    case list, listed, watch, unwatch, watched
}

extension BusMessage.Content {
    package var type: BusMessageType {
        switch self {
        case .state: .state
        case .leave: .leave
        case .changed: .changed
        case .counts: .counts
        case .load: .load
        case .cancel: .cancel
        case .event(.waiting, _): .waiting
        case .event(.progressed, _): .progress
        case .event(.retrying, _): .retrying
        case .event(.page, _): .page
        case .event(.failed, _): .failed
        case .event(.refused, _): .refused
        case .list: .list
        case .listed: .listed
        case .watch: .watch
        case .unwatch: .unwatch
        case .watched: .watched
        }
    }
}

/// The state that a node publishes every second.
package struct NodeState: Hashable, Sendable {
    /// The name of the node, for people.
    package var name: String
    /// The node's version of refreshd.
    package var version: String
    package var sessions: Int
    /// For each feed that has changed: the number of its changes that this node has published.
    package var changes: [String: UInt64]
    /// The feeds for which workers are connected to the node, in ascending order.
    package var workers: [String]
    /// The number of loads that the node performs for other nodes.
    package var loads: Int

    package init(
        name: String, version: String, sessions: Int = 0, changes: [String: UInt64] = [:],
        workers: [String] = [], loads: Int = 0
    ) {
        self.name = name
        self.version = version
        self.sessions = sessions
        self.changes = changes
        self.workers = workers
        self.loads = loads
    }
}

/// A load that one node asks another node to perform.
package struct AskedLoad: Hashable, Sendable {
    package var request: LoadRequest
    package var idempotencyKey: String
    package var keptPages: KeptPages
    /// The time that is left until the load's deadline, 1...86,400,000 milliseconds.
    package var deadlineMs: Int
    /// The recent changes of the feed that the requesting node knows. The owner applies them before
    /// it looks into its cache.
    package var seen: [SeenChange]

    package init(
        _ request: LoadRequest, idempotencyKey: String, keptPages: KeptPages, deadlineMs: Int,
        seen: [SeenChange] = []
    ) {
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.keptPages = keptPages
        self.deadlineMs = deadlineMs
        self.seen = seen
    }
}

/// The identity of a change of a given feed.
package struct SeenChange: Hashable, Sendable {
    /// The node to which the change was reported.
    package var node: NodeID
    /// The number of the change among the feed's changes at that node.
    package var number: UInt64

    package init(node: NodeID, number: UInt64) {
        self.node = node
        self.number = number
    }
}
