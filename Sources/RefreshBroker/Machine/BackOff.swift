/// How long to wait before a call is tried again: exponential with full jitter, so that those who
/// failed together do not come back together. Source: docs/backends.md, "Retries".
struct BackOff: Hashable, Sendable {
    let baseMs: Int
    let capMs: Int

    init(_ policy: BackendPolicy.Retry) {
        baseMs = max(0, policy.baseMs)
        capMs = max(0, policy.capMs)
    }

    /// The longest pause after the failure of attempt `attempt` (1...), milliseconds.
    func longestMs(after attempt: Int) -> Int {
        // Beyond 2^30 any base of 1 ms or more is above the cap.
        let (product, isTooLarge) = baseMs.multipliedReportingOverflow(
            by: 1 << min(max(0, attempt - 1), 30))
        return isTooLarge ? capMs : min(capMs, product)
    }

    /// The longest pause that a backend can ask for: a day, milliseconds.
    static let askedMsMax = 86_400_000

    /// A pause, milliseconds; at least what the backend asked for.
    func pauseMs(
        after attempt: Int, atLeast leastMs: Int?, _ random: inout SeededRandom
    ) -> Int {
        max(
            Int.random(in: 0...longestMs(after: attempt), using: &random),
            min(leastMs ?? 0, Self.askedMsMax))
    }
}
