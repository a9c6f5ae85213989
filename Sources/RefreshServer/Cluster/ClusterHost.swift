internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession

/// The parts of the daemon that its part in a cluster uses. The closures are called on the
/// thread that handles the messages of the bus.
struct ClusterHost: Sendable {
    let broker: Broker<LoadTicket>
    /// Applies limits of clients to the whole cluster.
    let limiter: ConnectionLimiter
    let directory: LoopDirectory
    /// Watchers of other nodes take places in it.
    let registry: WatcherRegistry
    let log: DaemonLog
    /// Counts the sessions and workers of this node.
    let census: @Sendable () -> ClusterCensus

    /// Notifies the views of this node of a change that another node has reported.
    func notify(_ change: FeedChange) {
        log(.feedChanged, [.feed: change.feed])
        directory.scheduleNotification(of: change)
    }
}

/// What a node reports about itself in its state.
struct ClusterCensus: Sendable {
    var sessions: Int
    /// The feeds for which workers are connected to this node.
    var workers: [String]
}
