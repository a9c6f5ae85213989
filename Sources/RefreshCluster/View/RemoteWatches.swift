package import RefreshBroker
internal import RefreshProtocol

/// Which events a watcher receives. Source: docs/operations.md, "Watching".
package struct EventSelection: Hashable, Sendable {
    /// Only events of the session with this name; nil: all.
    package var session: String?
    /// Only events of views of the feed with this name; nil: all.
    package var feed: String?

    package init(session: String? = nil, feed: String? = nil) {
        self.session = session
        self.feed = feed
    }

    /// Whether a session or a feed can have the name. A longer name is in no message.
    var canMatch: Bool {
        (session?.utf8.count ?? 0) <= BusMessageLimits.sessionNameBytesMax
            && (feed?.utf8.count ?? 0) <= BusMessageLimits.feedNameBytesMax
    }

    init(_ members: MessageMembers) throws(BusMessageDrop) {
        session = try members.optionalText(
            "session", bytesMax: BusMessageLimits.sessionNameBytesMax)
        feed = try members.optionalText("feed", bytesMax: BusMessageLimits.feedNameBytesMax)
    }
}

/// The identity of a watcher of another node.
package struct RemoteWatchID: Hashable, Sendable {
    /// The node to which the watcher is connected.
    package var node: NodeID
    /// The number of the watcher at that node.
    package var number: UInt64

    package init(node: NodeID, number: UInt64) {
        self.node = node
        self.number = number
    }
}

/// The watchers of other nodes to which this node sends the events of its sessions.
struct RemoteWatches: Sendable {
    static let watchesMax = 16
    /// The time after which a watch ends that its node does not repeat.
    static let leaseMs = Membership.livenessMs
    /// The minimum time between two messages with events for one watcher.
    static let intervalMs = 50.0

    /// What a `watch` of another node means.
    enum Arrival { case new, repeated, tooMany }

    private struct Entry {
        var ends: Instant
        var hasWaitingEvents = false
        /// The earliest time of the next message with events.
        var nextMessageAt: Instant
    }

    private var entries: [RemoteWatchID: Entry] = [:]

    var count: Int { entries.count }

    func contains(_ id: RemoteWatchID) -> Bool { entries[id] != nil }

    mutating func receive(_ id: RemoteWatchID, at now: Instant) -> Arrival {
        let ends = now.advanced(byMilliseconds: Self.leaseMs)
        if entries[id] != nil {
            entries[id]?.ends = ends
            return .repeated
        }
        guard entries.count < Self.watchesMax else { return .tooMany }
        entries[id] = Entry(ends: ends, nextMessageAt: now)
        return .new
    }

    mutating func remove(_ id: RemoteWatchID) -> Bool {
        entries.removeValue(forKey: id) != nil
    }

    /// Removes the watches of a node, and returns them.
    mutating func removeAll(of node: NodeID) -> [RemoteWatchID] {
        removeAll { id, _ in id.node == node }
    }

    /// Removes the watches that their nodes have not repeated in time, and returns them.
    mutating func removeDue(at now: Instant) -> [RemoteWatchID] {
        removeAll { _, entry in entry.ends <= now }
    }

    private mutating func removeAll(
        where isOver: (RemoteWatchID, Entry) -> Bool
    ) -> [RemoteWatchID] {
        let removed = entries.filter { isOver($0.key, $0.value) }.keys
            .sorted { ($0.node, $0.number) < ($1.node, $1.number) }
        for id in removed { entries[id] = nil }
        return removed
    }

    /// Records that events wait for a watcher.
    mutating func setWaiting(_ id: RemoteWatchID, at now: Instant) {
        guard let entry = entries[id] else { return }
        entries[id]?.hasWaitingEvents = true
        entries[id]?.nextMessageAt = max(entry.nextMessageAt, now)
    }

    /// Returns the watchers to which events can be sent now. Each of them has to wait for the
    /// interval before its next message. Whether events wait then must be recorded again.
    mutating func takeReady(at now: Instant) -> [RemoteWatchID] {
        let ready = entries.filter { $0.value.hasWaitingEvents && $0.value.nextMessageAt <= now }
            .keys.sorted { ($0.node, $0.number) < ($1.node, $1.number) }
        for id in ready {
            entries[id]?.hasWaitingEvents = false
            entries[id]?.nextMessageAt = now.advanced(byMilliseconds: Self.intervalMs)
        }
        return ready
    }

    /// The time at which `removeDue` or `takeReady` must be called.
    var nextDeadline: Instant? {
        guard !entries.isEmpty else { return nil }
        return entries.values.lazy.map { entry in
            entry.hasWaitingEvents ? min(entry.ends, entry.nextMessageAt) : entry.ends
        }.min()
    }
}
