package import RefreshBroker
package import RefreshProtocol

/// A live node of the cluster, as this node knows it.
package struct ClusterNode: Hashable, Sendable {
    package var id: NodeID
    /// The name of the node, for people. Several nodes can have the same name.
    package var name: String
    /// The node's version of refreshd.
    package var version: String
    /// The number of the node's sessions when it sent its last state.
    package var sessions: Int
    /// The feeds for which workers are connected to the node, in ascending order.
    package var workers: [String]
    /// The number of loads that the node performs for other nodes.
    package var loads: Int
    /// The time at which the last state of the node arrived; nil for this node itself.
    package var lastStateAt: Instant?

    package init(id: NodeID, _ state: NodeState, lastStateAt: Instant?) {
        self.id = id
        self.name = state.name
        self.version = state.version
        self.sessions = state.sessions
        self.workers = state.workers
        self.loads = state.loads
        self.lastStateAt = lastStateAt
    }

    /// The milliseconds since the last state of the node arrived; 0 for this node itself.
    package func ageMs(at now: Instant) -> Int {
        lastStateAt.map { Int(max(0, now.milliseconds(since: $0))) } ?? 0
    }
}
