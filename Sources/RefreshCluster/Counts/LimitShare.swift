internal import RefreshProtocol

/// The share of the cluster's limits that a node takes. While the nodes know each other's counts,
/// each node applies the whole limits to the sums. Without the bus, and for a short time after it
/// has come back, each node takes the share that follows from the last known number of nodes.
struct LimitShare: Sendable {
    /// The time after a connection for which the share stays: the other nodes and their counts are
    /// known then.
    static let holdMs = Membership.livenessMs

    /// The number by which the limits of clients are divided.
    private(set) var divisor = 1
    /// The share of `perSecondMax`.
    private(set) var refreshShare = 1.0
    /// Whether the shares are those of the time before the bus was lost.
    private var isHeld = true
    /// The time at which the nodes know each other again; nil without the bus.
    private var releasedAt: Instant?

    /// Records that the bus is connected.
    mutating func connect(at now: Instant) {
        releasedAt = now.advanced(byMilliseconds: Self.holdMs)
    }

    /// Records that the bus is lost. `nodes`: the number of known nodes, with this one.
    mutating func disconnect(nodes: Int) {
        // Soon after a connection, not all nodes are known again.
        divisor = isHeld ? max(divisor, nodes) : nodes
        isHeld = true
        releasedAt = nil
    }

    /// Updates the shares. `sessions`: of this node. `others`: the sessions of all other nodes.
    mutating func update(sessions: Int, others: Int, at now: Instant) {
        if isHeld {
            guard let releasedAt, releasedAt <= now else { return }
            isHeld = false
            divisor = 1
        }
        let own = Double(max(1, sessions))
        refreshShare = own / (own + Double(others))
    }
}
