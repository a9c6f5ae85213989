package import RefreshBroker

/// The counters of a node's part in its cluster since the start of the process.
package struct ClusterCounters: Hashable, Sendable {
    /// The accepted messages of other nodes, by type.
    package var received: [BusMessageType: Int] = [:]
    /// The published messages, by type.
    package var published: [BusMessageType: Int] = [:]
    /// The dropped messages, by reason. A node's own messages, which the bus returns to it, are not
    /// counted.
    package var dropped: [BusMessageDrop: Int] = [:]
    /// The nodes that became live.
    package var nodesJoined = 0
    /// The nodes that were lost without a `leave`.
    package var nodesLost = 0
    /// The nodes that left.
    package var nodesLeft = 0

    /// The loads that other nodes were asked to perform.
    package var asks = 0
    /// The asks that were not sent, because the node was not live or the message was too large.
    package var asksNotSent = 0
    /// The asks that ended with a page or a failure.
    package var asksAnswered = 0
    /// The asks that another node refused, by reason.
    package var asksRefused: [OwnerRefusal: Int] = [:]
    /// The asks that the broker has withdrawn.
    package var asksWithdrawn = 0
    /// The asks that ended because their node was lost or the bus was disconnected.
    package var asksLost = 0
    /// The asks that were still open at their deadline.
    package var asksExpired = 0
    /// The events of asks that were not open, or that another node was asked to perform.
    package var lateAnswers = 0

    /// The loads that this node started for other nodes.
    package var loads = 0
    /// The loads that this node refused, by reason.
    package var loadsRefused: [OwnerRefusal: Int] = [:]
    /// The loads that were cancelled, because the requesting node asked for it, was lost or left,
    /// or because of the deadline.
    package var loadsCancelled = 0
    /// The repeated messages that asked for a load.
    package var loadsRepeated = 0

    /// The changes that were reported at this node.
    package var changesReported = 0
    /// The changes of other nodes that were applied, including `changesMissed`.
    package var changesApplied = 0
    /// The changes of other nodes that stand for changes whose messages were missed.
    package var changesMissed = 0
    /// The changes of other nodes that were known already.
    package var changesRepeated = 0
    /// The changes that were applied because of a reconnection.
    package var changesOfReconnections = 0
    /// The lists of sessions that other nodes requested above the limit.
    package var listsRefused = 0
    /// The watches of other nodes that were not served, because too many were.
    package var watchesRefused = 0

    /// The counts of other nodes that were ignored: a later message had arrived, or the node was
    /// not live.
    package var countsIgnored = 0

    package init() {}
}
