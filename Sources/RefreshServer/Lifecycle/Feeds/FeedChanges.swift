internal import RefreshBroker
internal import RefreshProtocol

/// Gathers changes of feeds. All changes of a feed within 100 ms are announced as one.
struct FeedChanges {
    private static let gathering = 100.0

    /// The merged changes by feed, and when they are announced.
    private var pending: [String: (count: NewerCount, due: Instant)] = [:]

    /// Records a change of a feed.
    mutating func record(_ change: FeedChange, at now: Instant) {
        guard pending[change.feed] == nil else {
            pending[change.feed]?.count.add(change.count)
            return
        }
        pending[change.feed] = (change.count, now.advanced(byMilliseconds: Self.gathering))
    }

    /// When the next change is announced; nil if none is pending.
    var nextDeadline: Instant? { pending.values.map(\.due).min() }

    /// Removes and returns the changes that are due, sorted by the name of their feed.
    mutating func removeDue(at now: Instant) -> [FeedChange] {
        let due = pending.filter { $0.value.due <= now }
        for feed in due.keys { pending[feed] = nil }
        return due.sorted { $0.key < $1.key }.map { FeedChange($0.key, count: $0.value.count) }
    }
}
