package import RefreshProtocol

/// What became of the loads of one feed since the daemon started.
package struct FeedTally: Hashable, Sendable {
    /// Backend calls begun.
    package var started = 0
    /// Waiters that shared a call begun for another.
    package var joined = 0
    /// Waiters refused with `backendBusy`.
    package var refused = 0
    /// How calls ended: `success`, `empty`, `failed`; `cancelled` and `timedOut` when the last
    /// waiter left or ran out of time. Their sum is `started` less the calls that still run for
    /// somebody.
    package var ended: [LoadResult: Int] = [:]

    package init() {}
}
