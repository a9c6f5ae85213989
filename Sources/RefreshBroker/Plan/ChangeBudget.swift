package import RefreshProtocol

/// A rate limit for change notifications: at most ten per second for each feed. The last change is
/// never lost.
///
/// If a change comes less than 100 ms after the feed's last notification, the change is pending
/// until the 100 ms are over. Then it is due. Several pending changes of a feed are merged into
/// one.
package struct ChangeBudget: Sendable {
    /// The time in milliseconds after which a pending change is due at the latest.
    package static let intervalMs = 100.0

    /// The time of each feed's last notification.
    private var lastNotifiedAt: [String: Instant] = [:]
    /// The merged pending changes, by feed.
    private var pending: [String: FeedChange] = [:]
    private var dues = DueQueue<NumberedDeadline<String>>()
    private var serial: UInt64 = 0

    package init() {}

    /// Records a change of a feed. Returns true if the caller must announce the change now, and
    /// false if `removeDue` will return it later.
    package mutating func record(_ change: FeedChange, at now: Instant) -> Bool {
        let feed = change.feed
        if pending[feed] != nil {
            pending[feed]?.add(change)
            return false
        }
        guard let last = lastNotifiedAt[feed], now.milliseconds(since: last) < Self.intervalMs
        else {
            lastNotifiedAt[feed] = now
            return true
        }
        pending[feed] = change
        serial += 1
        dues.insert(feed, at: last.advanced(byMilliseconds: Self.intervalMs), serial: serial)
        return false
    }

    /// The time at which the next pending change is due.
    package var nextDeadline: Instant? { dues.nextDeadline }

    /// Returns the changes that must be announced now, in the order in which they became due.
    package mutating func removeDue(at now: Instant) -> [FeedChange] {
        var changes: [FeedChange] = []
        while let due = dues.nextDeadline, due <= now, let entry = dues.first {
            dues.removeFirst()
            lastNotifiedAt[entry.name] = now
            changes.append(pending.removeValue(forKey: entry.name) ?? FeedChange(entry.name))
        }
        return changes
    }
}
