import RefreshProtocol

/// The number of diagnostics that can still be sent to a session. It grows by one each second.
struct DiagnosticBudget: Hashable, Codable {
    private var spent = 0.0
    private var since: Instant
    /// The number of diagnostics dropped since the last one that was sent.
    private(set) var dropped = 0

    init(now: Instant) { since = now }

    /// Returns how many diagnostics may be sent now. `most` is the largest number that may be sent
    /// at one time.
    mutating func available(limit most: Int, at now: Instant) -> Int {
        spent = max(0, spent - now.milliseconds(since: since) / 1000)
        since = now
        return max(0, Int(Double(most) - spent))
    }

    /// Spends one diagnostic. Returns how many were dropped before it.
    mutating func spend() -> Int {
        spent += 1
        defer { dropped = 0 }
        return dropped
    }

    mutating func recordDropped(_ count: Int) { dropped &+= count }
}
