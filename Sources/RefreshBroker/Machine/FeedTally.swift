package import RefreshProtocol

/// What became of the loads of one feed since the daemon started.
package struct FeedTally: Hashable, Sendable {
    /// Backend calls begun, with retries and revalidations.
    package var started = 0
    /// Waiters that shared a call begun for another.
    package var joined = 0
    /// Waiters refused with `backendBusy`.
    package var refused = 0
    /// Waiters answered from what was kept.
    package var hits = CacheHits()
    /// Loads begun in the background for an answer that was stale.
    package var revalidations = 0
    // One number each and no dictionary: tallies are copied to another thread all the time.
    private var succeeded = 0
    private var empty = 0
    private var failed = 0
    private var cancelled = 0
    private var timedOut = 0

    package init() {}

    /// How calls ended: `success`, `empty`, `failed`; `cancelled` and `timedOut` when the last
    /// waiter left or ran out of time. Their sum is `started` less the calls that still run for
    /// somebody.
    package var ended: [LoadResult: Int] {
        let all: [LoadResult: Int] = [
            .success: succeeded, .empty: empty, .failed: failed, .cancelled: cancelled,
            .timedOut: timedOut,
        ]
        return all.filter { $0.value > 0 }
    }

    /// Counts the end of a call.
    mutating func callEnded(_ result: LoadResult) {
        switch result {
        case .success: succeeded += 1
        case .empty, .noMore: empty += 1
        case .failed, .refused: failed += 1
        case .cancelled: cancelled += 1
        case .timedOut: timedOut += 1
        }
    }
}
