import RefreshProtocol

/// The number of faults that a session may still cause. It grows by one each second.
struct FaultBudget: Hashable, Codable {
    private let most: Int
    private var spent = 0.0
    private var since: Instant

    init(most: Int, now: Instant) {
        self.most = most
        self.since = now
    }

    /// Spends one fault. Returns false if the budget is exceeded.
    mutating func spend(at now: Instant) -> Bool {
        spent = max(0, spent - now.milliseconds(since: since) / 1000) + 1
        since = now
        return spent <= Double(most)
    }
}
