package import RefreshProtocol

/// The limits of clients at this node: those of the whole cluster, or, without a cluster, those of
/// the daemon. It counts the sessions of subjects, and the handshakes that are not published yet.
/// Source: docs/cluster.md, "Limits of clients".
package struct ClientLimits<Session: Hashable & Sendable>: Sendable {
    /// The limits that the operator has set.
    package var limits: Limits {
        didSet { if limits.sessionsPerSubjectMax == 0 { subjects = SubjectSessions() } }
    }
    /// The function that computes the keys of clients; nil without a cluster.
    package var keys: CountKeys?
    /// The last counts of the other nodes.
    package var counts = ClusterCounts()
    private var subjects = SubjectSessions<Session>()
    private var handshakes: [CountKey: Int] = [:]

    package init(_ limits: Limits) { self.limits = limits }

    // MARK: - Connections and handshakes

    /// The number of connections that an address may have at this node. `key`: the key of the
    /// address; nil if no other node can have a connection of the same peer.
    package func connectionsMax(of key: CountKey?) -> Int {
        let limit = limits.connectionsPerAddressMax
        return key.map { counts.share(of: limit, besides: counts.others.connections[$0]) } ?? limit
    }

    /// The handshakes of an address in a second at this node.
    package var handshakesMax: Int { counts.share(of: limits.handshakesPerAddressMax) }

    /// Counts a handshake, which the other nodes subtract from their allowances.
    package mutating func recordHandshake(of key: CountKey) { handshakes[key, default: 0] += 1 }

    // MARK: - Sessions

    /// Counts a session with a connection. Returns false, and does not count it, if its subject has
    /// too many sessions. `resumes`: whether the client asks for an existing session, whose old
    /// connection may still count at another node. `replaces`: whether the old connection counts at
    /// this node.
    package mutating func add(
        _ session: Session, of subject: String, resumes: Bool, replaces: Bool
    ) -> Bool {
        let limit = limits.sessionsPerSubjectMax
        guard limit > 0 else { return true }
        let most = replaces ? Int.max : resumes ? limit : sessionsMax(of: subject)
        return subjects.add(session, of: subject, countMax: most)
    }

    /// Whether the subject of a counted session has no more sessions than with a new client.
    package func isWithinLimit(_ session: Session) -> Bool {
        guard let subject = subjects.subject(of: session) else { return true }
        return subjects.count(of: subject) <= sessionsMax(of: subject)
    }

    /// Stops counting a session.
    package mutating func remove(_ session: Session) { subjects.remove(session) }

    private func sessionsMax(of subject: String) -> Int {
        let others = keys.flatMap { counts.others.sessions[$0.key(ofSubject: subject)] }
        return counts.share(of: limits.sessionsPerSubjectMax, besides: others)
    }

    // MARK: - The bus

    /// Returns the counts of this node that other nodes must know. The handshakes are those since
    /// the previous call. `connections`: by address. `key`: returns the key of an address.
    package mutating func removeCounts<Address: Hashable>(
        connections: [Address: Int], key: (Address) -> CountKey?
    ) -> NodeCounts {
        var published = NodeCounts()
        guard let keys else { return published }
        published.sessions = subjects.published(
            limit: limits.sessionsPerSubjectMax, nodes: counts.nodes, by: keys)
        published.connections = CountSelection.select(
            connections, limit: limits.connectionsPerAddressMax, nodes: counts.nodes, by: key)
        published.handshakes = CountSelection.select(
            handshakes, limit: limits.handshakesPerAddressMax, nodes: counts.nodes
        ) { $0 }
        handshakes = [:]
        return published
    }
}
