internal import RefreshProtocol

/// How often a feed is announced as changed, whatever its workers say: ten times a second, and the
/// last change is not lost.
///
/// What comes too early is owed, and due once the gap is over; changes that are owed are one.
struct ChangeBudget: Sendable {
    private static let gapMs = 100.0

    /// The last announcement of each feed.
    private var toldAt: [String: Instant] = [:]
    private var owed: Set<String> = []
    private var dues = DueQueue<NumberedDeadline<String>>()
    private var serial: UInt64 = 0

    /// True: the change of that feed is to be told now. False: that will be `due`.
    mutating func take(_ feed: String, at now: Instant) -> Bool {
        guard !owed.contains(feed) else { return false }
        guard let last = toldAt[feed], now.milliseconds(since: last) < Self.gapMs else {
            toldAt[feed] = now
            return true
        }
        owed.insert(feed)
        serial += 1
        dues.insert(feed, at: last.advanced(byMilliseconds: Self.gapMs), serial: serial)
        return false
    }

    /// When the next change is due.
    var nextDeadline: Instant? { dues.first?.deadline }

    /// The feeds whose changes are to be told now, in the order in which they became due.
    mutating func due(at now: Instant) -> [String] {
        var feeds: [String] = []
        while let entry = dues.first, entry.deadline <= now {
            dues.removeFirst()
            owed.remove(entry.name)
            toldAt[entry.name] = now
            feeds.append(entry.name)
        }
        return feeds
    }
}
