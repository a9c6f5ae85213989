internal import RefreshBroker
internal import RefreshCluster

/// The state of this node's part in the cluster, for the metrics and the readiness page.
struct ClusterStatus: Sendable {
    var isConnected = false
    /// The live nodes, including this one.
    var nodes = 1
    var counters = ClusterCounters()
    /// The counts of the other nodes.
    var counts = ClusterCounts()
    /// The number of bytes of all messages that were received.
    var bytesReceived = 0
    /// The number of bytes of all messages that were published.
    var bytesPublished = 0
    /// The number of messages that were dropped because too many bytes waited.
    var droppedFromQueue = 0
}

/// What a node reports about itself in its state.
struct ClusterCensus: Sendable {
    var sessions: Int
    /// The feeds for which workers are connected to this node.
    var workers: [String]
}
