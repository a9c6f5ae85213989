import RefreshProtocol

/// How many faults a session may still commit. One is restored each second.
struct FaultBudget: Hashable, Codable {
    private let most: Int
    private var spent = 0.0
    private var since: Instant

    init(most: Int, now: Instant) {
        self.most = most
        self.since = now
    }

    /// Spends one. Returns false when the budget is exceeded.
    mutating func spend(at now: Instant) -> Bool {
        spent = max(0, spent - now.milliseconds(since: since) / 1000) + 1
        since = now
        return spent <= Double(most)
    }
}
