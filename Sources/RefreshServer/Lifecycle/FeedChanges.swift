internal import RefreshProtocol

/// Which feeds have changed and are about to be told: what comes within 100 ms is told once.
struct FeedChanges {
    private static let gathering = 100.0

    /// When each is told.
    private var due: [String: Instant] = [:]

    /// The feed has changed.
    mutating func note(_ feed: String, at now: Instant) {
        guard due[feed] == nil else { return }
        due[feed] = now.advanced(byMilliseconds: Self.gathering)
    }

    /// When the next is to be told; nil if none is.
    var nextDeadline: Instant? { due.values.min() }

    /// Takes those that are to be told, by name.
    mutating func take(at now: Instant) -> [String] {
        let feeds = due.filter { $0.value <= now }.keys.sorted()
        for feed in feeds { due[feed] = nil }
        return feeds
    }
}
