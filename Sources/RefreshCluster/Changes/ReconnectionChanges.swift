internal import RefreshBroker
internal import RefreshProtocol

/// The changes that a reconnection to the bus causes. While this node was disconnected, it may have
/// missed changes, so each feed counts as changed. The changes are spread at random over two
/// seconds, because all nodes may reconnect at the same time.
struct ReconnectionChanges: Sendable {
    static let spreadMs = 2000.0

    private var feeds: Set<String> = []
    private var dues = DueQueue<NumberedDeadline<String>>()
    private var serial: UInt64 = 0

    /// Whether a change of the feed is due later.
    func isWaiting(_ feed: String) -> Bool { feeds.contains(feed) }

    /// Schedules a change of each feed. A change that is already scheduled is not delayed.
    mutating func schedule(
        _ feeds: Set<String>, at now: Instant, _ random: inout SeededRandom
    ) {
        for feed in feeds.sorted() where self.feeds.insert(feed).inserted {
            serial += 1
            let delay = random.next().fraction * Self.spreadMs
            dues.insert(feed, at: now.advanced(byMilliseconds: delay), serial: serial)
        }
    }

    /// Removes the other feeds.
    mutating func keepOnly(_ feeds: Set<String>) { self.feeds.formIntersection(feeds) }

    /// Returns the feeds whose change is due.
    mutating func removeDue(at now: Instant) -> [String] {
        var due: [String] = []
        while let next = dues.nextDeadline, next <= now, let entry = dues.first {
            dues.removeFirst()
            if feeds.remove(entry.name) != nil { due.append(entry.name) }
        }
        return due
    }

    /// The time at which the next change is due.
    var nextDeadline: Instant? { dues.nextDeadline }
}
