/// How much each client uses of one node, or of several nodes together.
package struct NodeCounts: Hashable, Sendable {
    /// The sessions with a connection, by subject.
    package var sessions: [CountKey: Int] = [:]
    /// The connections, by address.
    package var connections: [CountKey: Int] = [:]
    /// The handshakes since the previous counts, by address.
    package var handshakes: [CountKey: Int] = [:]

    package init() {}

    package var isEmpty: Bool { sessions.isEmpty && connections.isEmpty && handshakes.isEmpty }

    /// Adds the sessions and connections of another node. Handshakes are not added.
    mutating func add(_ other: NodeCounts) {
        sessions.merge(other.sessions) { $0 + $1 }
        connections.merge(other.connections) { $0 + $1 }
    }
}

/// Selects the counts of a node that other nodes must know.
package enum CountSelection {
    /// The smallest count that is published is the limit divided by this number and by the number
    /// of other nodes. So a sum without the smaller counts is at most a sixteenth of the limit too
    /// low.
    static let precision = 16

    /// Returns those of the counts of one kind that the node publishes: at most 512, the largest if
    /// there are more. `limit`: the limit of the whole cluster for each key; 0: there is no limit,
    /// and no count is published. `nodes`: the number of live nodes, with this one. `key`: returns
    /// the key on the bus; nil for a client that no other node can have.
    package static func select<Key: Hashable>(
        _ counts: [Key: Int], limit: Int, nodes: Int, by key: (Key) -> CountKey?
    ) -> [CountKey: Int] {
        guard limit > 0 else { return [:] }
        let divisor = precision * max(1, nodes - 1)
        let smallest = max(1, limit / divisor + (limit % divisor == 0 ? 0 : 1))
        var selected: [(key: Key, count: Int)] = []
        for (key, count) in counts where count >= smallest { selected.append((key, count)) }
        if selected.count > BusMessageLimits.countsMax { selected.sort { $0.count > $1.count } }
        var published: [CountKey: Int] = [:]
        for entry in selected.prefix(BusMessageLimits.countsMax) {
            if let key = key(entry.key) { published[key] = entry.count }
        }
        return published
    }
}
