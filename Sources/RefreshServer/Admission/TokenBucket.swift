internal import RefreshProtocol

/// So many a second, and twice as many at once after a quiet while.
struct TokenBucket: Hashable, Codable {
    private let perSecond: Double
    private var tokens: Double
    private var since: Instant

    /// Full at first.
    init(perSecond: Int, now: Instant) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond) * 2
        since = now
    }

    /// What is there now. Time that goes back adds nothing.
    mutating func available(at now: Instant) -> Double {
        let elapsed = max(0, now.milliseconds(since: since)) / 1000
        tokens = min(perSecond * 2, tokens + elapsed * perSecond)
        since = max(since, now)
        return tokens
    }

    /// Whether nothing is missing.
    func isFull(at now: Instant) -> Bool {
        var copy = self
        return copy.available(at: now) >= perSecond * 2
    }

    /// Takes so many, if they are there.
    mutating func take(_ count: Int = 1, at now: Instant) -> Bool {
        guard available(at: now) >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }
}
