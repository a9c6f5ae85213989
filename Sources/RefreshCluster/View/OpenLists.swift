internal import RefreshBroker
internal import RefreshProtocol

/// The lists of sessions that this node has requested of the other nodes, and the limit of the
/// lists that it makes for them.
struct OpenLists: Sendable {
    /// The time for the answers of the other nodes.
    static let timeoutMs = 1000.0
    static let openMax = 16
    /// The maximum number of lists that this node makes in a second, for all nodes together.
    static let perSecondMax = 4

    /// A list that is complete, or whose time is over.
    struct Ended: Equatable {
        var id: UInt64
        var sessions: ClusterSessions
    }

    private struct Entry {
        var id: UInt64
        var sessions: ClusterSessions
        /// The nodes whose answers are missing, in ascending order of their identities.
        var missing: [ClusterNode]
        var due: Instant

        /// The list with the nodes that have not answered.
        var ended: Ended {
            var sessions = sessions
            sessions.missing = missing
            return Ended(id: id, sessions: sessions)
        }
    }

    private var entries: [UInt64: Entry] = [:]
    private var lastNumber: UInt64 = 0
    private var secondBegan = Instant.origin
    private var madeInSecond = 0

    /// Opens a list, and returns its number. Returns nil if too many lists are open.
    mutating func open(
        _ id: UInt64, after: String?, nodes: [ClusterNode], at now: Instant
    ) -> UInt64? {
        guard entries.count < Self.openMax else { return nil }
        lastNumber += 1
        entries[lastNumber] = Entry(
            id: id, sessions: ClusterSessions(after: after), missing: nodes,
            due: now.advanced(byMilliseconds: Self.timeoutMs))
        return lastNumber
    }

    /// Adds the answer of a node. The first answer of each requested node counts. Returns the list
    /// if it is complete.
    mutating func receive(_ page: SessionPage, number: UInt64, from node: NodeID) -> Ended? {
        guard let index = entries[number]?.missing.firstIndex(where: { $0.id == node })
        else { return nil }
        entries[number]?.missing.remove(at: index)
        entries[number]?.sessions.add(page, of: node)
        guard entries[number]?.missing.isEmpty == true else { return nil }
        return entries.removeValue(forKey: number)?.ended
    }

    /// Closes the lists whose time is over, and returns them.
    mutating func removeDue(at now: Instant) -> [Ended] { removeAll { $0.due <= now } }

    /// Closes all lists, and returns them.
    mutating func removeAll() -> [Ended] { removeAll { _ in true } }

    private mutating func removeAll(where isOver: (Entry) -> Bool) -> [Ended] {
        let numbers = entries.filter { isOver($0.value) }.keys.sorted()
        return numbers.compactMap { entries.removeValue(forKey: $0)?.ended }
    }

    /// The time at which `removeDue` must be called.
    var nextDeadline: Instant? {
        entries.isEmpty ? nil : entries.values.lazy.map { $0.due }.min()
    }

    /// Whether this node may make another list for other nodes.
    mutating func admitsList(at now: Instant) -> Bool {
        if now.milliseconds(since: secondBegan) >= 1000 {
            secondBegan = now
            madeInSecond = 0
        }
        guard madeInSecond < Self.perSecondMax else { return false }
        madeInSecond += 1
        return true
    }
}
