import RefreshProtocol

/// How many diagnostics a session may still be sent; one is given back each second.
struct DiagnosticBudget: Hashable, Codable {
    private var spent = 0.0
    private var since: Instant
    /// How many were not sent since the last one that was.
    private(set) var dropped = 0

    init(now: Instant) { since = now }

    /// How many may be sent now, where so many may be at once.
    mutating func room(of most: Int, at now: Instant) -> Int {
        spent = max(0, spent - now.milliseconds(since: since) / 1000)
        since = now
        return max(0, Int(Double(most) - spent))
    }

    /// One is sent; how many were not before it.
    mutating func spend() -> Int {
        spent += 1
        defer { dropped = 0 }
        return dropped
    }

    mutating func drop(_ count: Int) { dropped &+= count }
}
