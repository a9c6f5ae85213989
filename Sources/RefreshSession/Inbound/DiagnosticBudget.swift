import RefreshProtocol

/// How many diagnostics a session may still be sent. One is restored each second.
struct DiagnosticBudget: Hashable, Codable {
    private var spent = 0.0
    private var since: Instant
    /// The number of diagnostics dropped since the last one that was sent.
    private(set) var dropped = 0

    init(now: Instant) { since = now }

    /// How many may be sent now, where so many may be at once.
    mutating func available(limit most: Int, at now: Instant) -> Int {
        spent = max(0, spent - now.milliseconds(since: since) / 1000)
        since = now
        return max(0, Int(Double(most) - spent))
    }

    /// Spends one. Returns how many were dropped before it.
    mutating func spend() -> Int {
        spent += 1
        defer { dropped = 0 }
        return dropped
    }

    mutating func recordDropped(_ count: Int) { dropped &+= count }
}
