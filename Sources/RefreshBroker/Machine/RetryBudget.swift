/// How many retries a backend may cost: a share of its calls, so that a backend in trouble does not
/// get a multiple of its load just then. Source: docs/backends.md, "Retries".
///
/// A bucket: it begins with ten retries, each load's first call adds a share of one, and it holds
/// at most what a thousand calls add and ten more: a good day does not pay for a storm of retries.
struct RetryBudget: Hashable, Sendable {
    /// Hundredths of a retry.
    private(set) var hundredths: Int
    private let percent: Int

    static let freeRetries = 10
    static let callsRemembered = 1000

    init(percent: Int) {
        self.percent = min(max(0, percent), 100)
        hundredths = Self.freeRetries * 100
    }

    /// A load's first call began.
    mutating func countCall() {
        hundredths = min(
            hundredths + percent, Self.freeRetries * 100 + Self.callsRemembered * percent)
    }

    /// Takes a retry out; false if there is none.
    mutating func spend() -> Bool {
        guard hundredths >= 100 else { return false }
        hundredths -= 100
        return true
    }
}
