internal import RefreshBroker
internal import RefreshProtocol

/// Counts of clients.
extension ClusterMachine {
    /// Publishes the counts of this node if necessary, and reports those of the other nodes.
    mutating func exchangeCounts(
        _ own: NodeCounts, at now: Instant, into effects: inout [Effect]
    ) {
        if isConnected, let number = countGossip.publication(of: own, at: now) {
            publishToAll(.counts(own, number: number), into: &effects)
        }
        let others = membership.nodes
        limitShare.update(
            sessions: state.sessions, others: others.reduce(0) { $0 + $1.sessions }, at: now)
        var counts = ClusterCounts()
        counts.others = countGossip.others(at: now)
        counts.others.handshakes = countGossip.removeHandshakes()
        counts.nodes = others.count + 1
        counts.divisor = limitShare.divisor
        counts.refreshShare = limitShare.refreshShare
        counts.feeds = feeds
        // Equal handshakes of two seconds are not the same handshakes.
        guard counts != self.counts || !counts.others.handshakes.isEmpty else { return }
        self.counts = counts
        effects.append(.countsChanged(counts))
    }

    mutating func receive(
        _ counts: NodeCounts, number: UInt64, from node: NodeID, at now: Instant
    ) {
        // The counts of a node that is not live could not be removed when it is lost.
        guard membership.isLive(node),
            countGossip.receive(counts, number: number, from: node, at: now)
        else {
            counters.countsIgnored += 1
            return
        }
    }
}
