internal import RefreshProtocol

/// A rate limit for change notifications: at most ten per second for each feed. The last change is
/// never lost.
///
/// A change that comes less than 100 ms after the feed's last notification is pending. It becomes
/// due when the 100 ms are over. Several pending changes of a feed are merged into one.
struct ChangeBudget: Sendable {
    private static let intervalMs = 100.0

    /// The time of each feed's last notification.
    private var lastNotifiedAt: [String: Instant] = [:]
    private var pending: Set<String> = []
    private var dues = DueQueue<NumberedDeadline<String>>()
    private var serial: UInt64 = 0

    /// Records a change of the feed. Returns true if it must be announced now, and false if
    /// `removeDue` will return it.
    mutating func recordChange(of feed: String, at now: Instant) -> Bool {
        guard !pending.contains(feed) else { return false }
        guard let last = lastNotifiedAt[feed], now.milliseconds(since: last) < Self.intervalMs
        else {
            lastNotifiedAt[feed] = now
            return true
        }
        pending.insert(feed)
        serial += 1
        dues.insert(feed, at: last.advanced(byMilliseconds: Self.intervalMs), serial: serial)
        return false
    }

    /// The time at which the next pending change is due.
    var nextDeadline: Instant? { dues.first?.deadline }

    /// Returns the feeds whose changes must be announced now, in the order in which they became
    /// due.
    mutating func removeDue(at now: Instant) -> [String] {
        var feeds: [String] = []
        while let entry = dues.first, entry.deadline <= now {
            dues.removeFirst()
            pending.remove(entry.name)
            lastNotifiedAt[entry.name] = now
            feeds.append(entry.name)
        }
        return feeds
    }
}
