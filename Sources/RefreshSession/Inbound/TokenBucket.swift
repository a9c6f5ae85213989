package import RefreshProtocol

/// A token bucket with a rate per second, and a capacity of twice that rate.
package struct TokenBucket: Hashable, Codable {
    private var perSecond: Double
    private var tokens: Double
    private var since: Instant

    /// The bucket starts full.
    package init(perSecond: Int, now: Instant) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond) * 2
        since = now
    }

    /// Returns the available tokens. If the clock goes back, no tokens are added.
    package mutating func available(at now: Instant) -> Double {
        let elapsed = max(0, now.milliseconds(since: since)) / 1000
        tokens = min(perSecond * 2, tokens + elapsed * perSecond)
        since = max(since, now)
        return tokens
    }

    /// Changes the rate, and with it the capacity. The used part of the capacity remains used, so a
    /// change of the rate never fills the bucket. Both rates must be at least 1.
    package mutating func setRate(perSecond rate: Int, at now: Instant) {
        guard Double(rate) != perSecond else { return }
        let part = available(at: now) / (perSecond * 2)
        perSecond = Double(rate)
        tokens = part * perSecond * 2
    }

    /// Returns whether the bucket is full.
    package func isFull(at now: Instant) -> Bool {
        var copy = self
        return copy.available(at: now) >= perSecond * 2
    }

    /// Consumes `count` tokens. Returns false if they are not available.
    package mutating func consume(_ count: Int = 1, at now: Instant) -> Bool {
        guard available(at: now) >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }

    /// Consumes tokens that were used elsewhere, whether or not they are available. The bucket then
    /// lacks at most the tokens of `secondsMax` seconds.
    package mutating func charge(_ count: Int, secondsMax: Double, at now: Instant) {
        tokens = max(-perSecond * secondsMax, available(at: now) - Double(count))
    }
}
