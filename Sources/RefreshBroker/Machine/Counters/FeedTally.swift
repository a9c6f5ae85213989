package import RefreshProtocol

/// The counters of one feed's loads since the daemon started.
package struct FeedTally: Hashable, Sendable {
    /// Backend calls started, including retries and revalidations.
    package var started = 0
    /// Waiters that joined a load that was started for another waiter.
    package var joined = 0
    /// Waiters refused with `backendBusy`.
    package var refused = 0
    /// Waiters answered from the cache.
    package var hits = CacheHits()
    /// Background loads started to replace a stale answer.
    package var revalidations = 0
    // Separate integers are used instead of a dictionary, because tallies are often copied to
    // another thread.
    private var succeeded = 0
    private var empty = 0
    private var failed = 0
    private var cancelled = 0
    private var timedOut = 0

    package init() {}

    /// Calls by result. The result is `success`, `empty` or `failed` if the call was answered. The
    /// result is `cancelled` if the last waiter left, and `timedOut` if a deadline passed. The sum
    /// is `started` minus the calls that still run for a waiter.
    package var ended: [LoadResult: Int] {
        let all: [LoadResult: Int] = [
            .success: succeeded, .empty: empty, .failed: failed, .cancelled: cancelled,
            .timedOut: timedOut,
        ]
        return all.filter { $0.value > 0 }
    }

    /// Counts the end of a call.
    mutating func recordCallEnd(_ result: LoadResult) {
        switch result {
        case .success: succeeded += 1
        case .empty, .noMore: empty += 1
        case .failed, .refused: failed += 1
        case .cancelled: cancelled += 1
        case .timedOut: timedOut += 1
        }
    }
}

/// The numbers of cached answers that were returned without a call.
package struct CacheHits: Hashable, Sendable {
    /// Pages within their lifetime.
    package var fresh = 0
    /// Pages after their lifetime, while they are revalidated.
    package var stale = 0
    /// Failures.
    package var failure = 0
    /// Refreshes that came during the cool-down after an answered refresh.
    package var coolDown = 0

    package init() {}
}
