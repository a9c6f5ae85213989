internal import RefreshProtocol

/// Gathers changes of feeds. All changes of a feed within 100 ms are announced as one.
struct FeedChanges {
    private static let gathering = 100.0

    /// When each feed's change is announced.
    private var due: [String: Instant] = [:]

    /// Records that the feed has changed.
    mutating func record(_ feed: String, at now: Instant) {
        guard due[feed] == nil else { return }
        due[feed] = now.advanced(byMilliseconds: Self.gathering)
    }

    /// When the next change is announced; nil if none is pending.
    var nextDeadline: Instant? { due.values.min() }

    /// Removes and returns the feeds that are due, sorted by name.
    mutating func removeDue(at now: Instant) -> [String] {
        let feeds = due.filter { $0.value <= now }.keys.sorted()
        for feed in feeds { due[feed] = nil }
        return feeds
    }
}
