/// The limit of a backend's retries, as a share of its calls. With this limit, retries do not
/// multiply the number of calls to a failing backend. Source: docs/backends.md, "Retries".
///
/// The budget works as a token bucket that starts with ten retries. Each load's first call adds a
/// fraction of a retry. The capacity is ten retries plus the retries that a thousand calls add. The
/// number of retries is therefore limited even after a long time without failures.
struct RetryBudget: Hashable, Sendable {
    /// The balance in hundredths of a retry.
    private(set) var hundredths: Int
    private let percent: Int

    static let freeRetries = 10
    static let callsRemembered = 1000

    init(percent: Int) {
        self.percent = min(max(0, percent), 100)
        hundredths = Self.freeRetries * 100
    }

    /// Records a load's first call.
    mutating func recordCall() {
        hundredths = min(
            hundredths + percent, Self.freeRetries * 100 + Self.callsRemembered * percent)
    }

    /// Consumes one retry of the budget. Returns false if none is left.
    mutating func consumeRetry() -> Bool {
        guard hundredths >= 100 else { return false }
        hundredths -= 100
        return true
    }
}
