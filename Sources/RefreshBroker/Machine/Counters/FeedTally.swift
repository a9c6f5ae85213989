package import RefreshProtocol

/// The counters of one feed's loads. They begin at 0 when the daemon starts. A waiter is a
/// session's load that waits for an answer.
package struct FeedTally: Hashable, Sendable {
    /// The number of backend calls that were started, including retries and revalidations.
    package var started = 0
    /// The number of waiters that joined a load of another waiter.
    package var joined = 0
    /// The number of waiters that were refused with `backendBusy`.
    package var refused = 0
    /// The numbers of waiters that were answered from the cache.
    package var hits = CacheHits()
    /// The number of revalidations. A revalidation is a background load that replaces a stale
    /// answer.
    package var revalidations = 0
    /// The asks of other nodes for loads of this node.
    package var asks = AskTally()
    /// The number of loads for which other nodes have asked this node.
    package var remote = 0
    // The counts are separate integers and not a dictionary, because tallies are often copied for
    // another thread. A copy of a changed dictionary would allocate memory.
    private var succeeded = 0
    private var empty = 0
    private var failed = 0
    private var cancelled = 0
    private var timedOut = 0

    package init() {}

    /// The number of ended calls by result. The result is `success`, `empty` or `failed` if the
    /// call was answered. The result is `cancelled` if the last waiter left, and `timedOut` if a
    /// deadline passed. The sum of all numbers is `started` minus the calls that are still running
    /// and not abandoned.
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
    /// The number of pages that were returned within their lifetime.
    package var fresh = 0
    /// The number of stale pages: they were returned after their lifetime.
    package var stale = 0
    /// The number of failures that were returned.
    package var failure = 0
    /// The number of pages that were returned to a refresh during the cool-down after an equal
    /// refresh.
    package var coolDown = 0

    package init() {}

    mutating func record(_ use: CachedAnswer.PageUse) {
        switch use {
        case .fresh: fresh += 1
        case .coolDown: coolDown += 1
        case .stale: stale += 1
        }
    }

    mutating func add(_ other: CacheHits) {
        fresh += other.fresh
        stale += other.stale
        failure += other.failure
        coolDown += other.coolDown
    }
}
