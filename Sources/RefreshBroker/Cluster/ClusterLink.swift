package import RefreshProtocol

/// A request that the broker asks its owner, another node, to perform.
package struct RemoteOrder: Hashable, Sendable {
    /// The broker's identity of the request. The events of the owner come back with it.
    package var id: CallID
    /// The request as a backend receives it. It has no subject if the feed is shared.
    package var request: LoadRequest
    /// The idempotency key from the session that started the load. If the owner does not answer,
    /// the broker's own call has the same key.
    package var idempotencyKey: String
    /// The pages of the owner's cache that are accepted in place of a new answer.
    package var keptPages: KeptPages
    /// The time after which no session needs the answer.
    package var deadline: Instant

    package init(
        id: CallID, _ request: LoadRequest, idempotencyKey: String, keptPages: KeptPages,
        deadline: Instant
    ) {
        self.id = id
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.keptPages = keptPages
        self.deadline = deadline
    }
}

/// The identity of a load that another node has asked this node to perform. It is never reused.
package struct RemoteLoadID: Hashable, Sendable {
    /// The node that asks.
    package var node: NodeID
    /// The number of the load at that node. The numbers increase.
    package var number: UInt64

    package init(node: NodeID, number: UInt64) {
        self.node = node
        self.number = number
    }
}

/// The cluster's work on the broker's thread. Both have one thread, because most messages of the
/// cluster are for the broker or from it, and waking another thread costs more than handling such a
/// message. Source: docs/decisions/0023-nats-as-a-bus.md.
package protocol ClusterWork {
    /// Ends the waiting of `turn`: of the running call, or else of the next one. May be called on
    /// any thread.
    var wake: @Sendable () -> Void { get }

    /// Waits for events of the bus, at most until `deadline`, and handles them. Returns false if
    /// the work has ended. May return earlier, and must not block otherwise.
    mutating func turn(until deadline: Instant?) -> Bool

    /// Handles the messages of other parts of the daemon, without waiting. Returns false if there
    /// were none.
    mutating func handleMessages() -> Bool

    /// Forgets the calls of `wake` so far. After this, and before the next turn, the broker empties
    /// its mailbox and calls `handleMessages`, so that no message waits.
    func clearWake()

    /// Ends the work. Has no effect if it has ended.
    mutating func end()
}

/// The part of the cluster that the broker uses. The broker calls these methods on its thread, and
/// they must not block.
package protocol ClusterLink: AnyObject, Sendable {
    /// Asks a node to perform a request. Its events come back to the broker with the identity of
    /// the order. There may be none, for example because the bus has lost a message. So the broker
    /// itself detects that a node is silent or not live any more, and then withdraws the order.
    ///
    /// Asking again with the same identity replaces the earlier order.
    func ask(_ node: NodeID, _ order: RemoteOrder)

    /// Tells a node that its answer to the order `id` is not needed. No event with this identity
    /// follows, except for events that are already on their way to the broker's thread. Has no
    /// effect if the last event has been reported.
    func withdraw(_ id: CallID, from node: NodeID)

    /// Reports an event of a load that another node has asked for. The broker reports exactly one
    /// last event of each such load, unless the load was cancelled. An event of a load that has
    /// ended is ignored.
    func deliver(_ event: OwnerEvent, to load: RemoteLoadID)
}
