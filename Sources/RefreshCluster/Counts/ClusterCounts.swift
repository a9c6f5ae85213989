/// What a node knows about the other nodes to apply the limits of clients and `perSecondMax` to the
/// whole cluster. Source: docs/cluster.md, "Limits of clients".
package struct ClusterCounts: Hashable, Sendable {
    /// The sums of the other live nodes. The handshakes are those that were reported since the
    /// previous `ClusterCounts`.
    package var others = NodeCounts()
    /// The number of live nodes, with this one.
    package var nodes = 1
    /// The number by which a limit is divided: 1 while the nodes add their counts, otherwise the
    /// last known number of nodes.
    package var divisor = 1
    /// The share of `perSecondMax` that this node takes: more than 0, at most 1.
    package var refreshShare = 1.0
    /// The feeds to which `refreshShare` applies: those that the nodes share.
    package var feeds: Set<String> = []

    package init() {}

    /// What this node applies of a limit of the whole cluster, rounded up. At least 1 if the limit
    /// is at least 1.
    package func share(of limit: Int) -> Int {
        limit / divisor + (limit % divisor == 0 ? 0 : 1)
    }

    /// What other nodes leave of this node's share of a limit for one client. `others`: the sum of
    /// the other nodes; nil for 0.
    package func share(of limit: Int, besides others: Int?) -> Int {
        max(0, share(of: limit) - (others ?? 0))
    }
}
