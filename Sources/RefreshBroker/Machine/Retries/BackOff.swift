internal import RefreshProtocol

/// The pause before a failed call is retried. It grows exponentially and has full jitter, so that
/// loads that failed together do not retry together. Source: docs/backends.md, "Retries".
struct BackOff: Hashable, Sendable {
    let baseMs: Int
    let capMs: Int

    init(_ policy: BackendPolicy.Retry) {
        baseMs = max(0, policy.baseMs)
        capMs = max(0, policy.capMs)
    }

    /// Returns the longest pause after attempt `attempt` (1...) failed, in milliseconds.
    func longestMs(after attempt: Int) -> Int {
        // With a factor of 2^30, any base of 1 ms or more exceeds the cap.
        let (product, isTooLarge) = baseMs.multipliedReportingOverflow(
            by: 1 << min(max(0, attempt - 1), 30))
        return isTooLarge ? capMs : min(capMs, product)
    }

    /// The longest pause that a backend can request: one day, in milliseconds.
    static let requestedMsMax = 86_400_000

    /// Returns a random pause in milliseconds. It is not shorter than the pause that the backend
    /// requested.
    func pauseMs(
        after attempt: Int, atLeast leastMs: Int?, _ random: inout SeededRandom
    ) -> Int {
        max(
            Int.random(in: 0...longestMs(after: attempt), using: &random),
            min(leastMs ?? 0, Self.requestedMsMax))
    }
}

/// A random number generator (SplitMix64). For the same seed, it gives the same numbers on every
/// system.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        defer { state &+= .mixingStep }
        return state.mixed
    }
}
