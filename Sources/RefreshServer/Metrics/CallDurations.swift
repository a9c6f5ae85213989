internal import Synchronization

/// How long the calls of one backend took; any thread.
package final class CallDurations: Sendable {
    /// What was counted until now.
    package struct Snapshot: Hashable, Sendable {
        /// Calls by bucket; what is longer than the last bound stands in one more.
        package var counts = [Int](repeating: 0, count: CallDurations.boundsMs.count + 1)
        package var sumMicroseconds = 0

        package init() {}
    }

    /// Upper bounds, inclusive, in milliseconds, ascending.
    package static let boundsMs = [
        1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000,
    ]

    private let counted = Mutex(Snapshot())

    package init() {}

    /// A call took so long.
    package func add(microseconds: Int64) {
        let bucket =
            Self.boundsMs.firstIndex { microseconds <= Int64($0) * 1000 } ?? Self.boundsMs.count
        counted.withLock {
            $0.counts[bucket] += 1
            $0.sumMicroseconds &+= Int(clamping: microseconds)
        }
    }

    package var snapshot: Snapshot { counted.withLock { $0 } }
}
