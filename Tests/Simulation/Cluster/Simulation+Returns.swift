import RefreshCluster
import RefreshProtocol

// The returns of clients to their sessions, and which connection of a client may lose its session
// to another one. Source: docs/simulation.md, "Clusters".
extension Simulation {
    /// The time in milliseconds within which an earlier daemon has closed a session, and its client
    /// has received 4005.
    private static let closedMs = 3000.0

    /// Records that a connection claims a session, or resumes it at the node that has it.
    func recordReturn(to session: String, on connection: SimulatedConnection, isClaim: Bool) {
        guard let cluster, let node = connection.daemon.node else { return }
        // A node does not notice at once that it reaches the store again.
        let usesStore = cluster.bus.reachesStore(node) && node.fence?.isAvailable == true
        let isUnwritten = !isClaim && !usesStore
        cluster.returns[session, default: []].append(
            .init(connection: connection, at: agenda.now, isUnwritten: isUnwritten))
    }

    /// Whether the session of a connection may be closed in favour of an abandoned connection of
    /// its client. Counts the reason.
    func mayLose(_ session: String, on connection: SimulatedConnection) -> Bool {
        guard let cluster else { return false }
        let reason: String
        if cluster.unfencedSessions.contains(session) {
            reason = "session lost after an unfenced claim"
        } else if isOvertaken(session, on: connection, cluster) {
            reason = "session lost to a late claim"
        } else if isUnwritten(session, on: connection, cluster) {
            reason = "session lost after a return without the store"
        } else {
            return false
        }
        count("cluster", reason)
        return true
    }

    /// Whether another daemon has handled the `hello` of an older connection later than that of
    /// this connection, or while this connection's claim could still wait. The order of the claims
    /// decides, so the session belongs to the older connection.
    private func isOvertaken(
        _ session: String, on connection: SimulatedConnection, _ cluster: ClusterWorld
    ) -> Bool {
        let returns = cluster.returns[session] ?? []
        guard let own = returns.last(where: { $0.connection === connection }) else { return false }
        return returns.contains { other in
            other.connection.number < connection.number
                && other.connection.daemon !== connection.daemon
                && other.at.milliseconds(since: own.at) > -SessionFence.claimMs
                && (!cluster.bus.isFencing
                    || agenda.now.milliseconds(since: other.at) < Self.closedMs)
        }
    }

    /// Whether the client has returned on this connection to a daemon that had the session, and
    /// that did not reach the store. The histories do not show whether the client has left this
    /// daemon before or after the claim of another one.
    private func isUnwritten(
        _ session: String, on connection: SimulatedConnection, _ cluster: ClusterWorld
    ) -> Bool {
        guard !cluster.bus.isFencing else { return false }
        return cluster.returns[session]?.last { $0.connection === connection }?.isUnwritten == true
    }
}
