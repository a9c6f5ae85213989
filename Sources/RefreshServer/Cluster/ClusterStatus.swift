internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol

/// The state of this node's part in the cluster, for the metrics and the readiness page.
struct ClusterStatus: Sendable {
    var isConnected = false
    /// The live nodes, including this one.
    var nodes = 1
    /// The time at which the oldest last state of another live node arrived; nil if there is none.
    var oldestStateAt: Instant?
    /// The loads whose answers this node awaits, and those that it performs for other nodes.
    var (openAsks, runningLoads) = (0, 0)
    var counters = ClusterCounters()
    /// Whether sessions are kept at one node; nil if no other node can read this one's snapshots.
    var isFencing: Bool?
    var fenceCounters = FenceCounters()
    /// The counts of the other nodes.
    var counts = ClusterCounts()
    /// The number of bytes of all messages that were received.
    var bytesReceived = 0
    /// The number of bytes of all messages that were published.
    var bytesPublished = 0
    /// The number of messages that were not sent: the bus was not connected, the message was too
    /// large for it, or too many bytes waited.
    var unsent = 0
}
