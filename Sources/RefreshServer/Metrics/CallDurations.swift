internal import Synchronization

/// How long the calls of one backend took; any thread.
package final class CallDurations: Sendable {
    /// What was counted until now.
    package struct Snapshot: Hashable, Sendable {
        /// Calls by bucket; what is longer than the last bound stands in one more.
        package var counts = [Int](repeating: 0, count: CallDurations.boundsMs.count + 1)
        package var sumMicroseconds = 0

        package init() {}

        /// A call took so long.
        mutating func add(microseconds: Int64) {
            counts[CallDurations.bucket(of: microseconds)] += 1
            sumMicroseconds &+= Int(clamping: microseconds)
        }

        static func += (sum: inout Snapshot, other: Snapshot) {
            for row in sum.counts.indices { sum.counts[row] += other.counts[row] }
            sum.sumMicroseconds &+= other.sumMicroseconds
        }
    }

    /// Upper bounds, inclusive, in milliseconds, ascending.
    package static let boundsMs = [
        1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000,
    ]

    /// The bucket that a duration falls into, 0 to `boundsMs.count`.
    static func bucket(of microseconds: Int64) -> Int {
        boundsMs.firstIndex { microseconds <= Int64($0) * 1000 } ?? boundsMs.count
    }

    private let counted = Mutex(Snapshot())

    package init() {}

    /// A call took so long.
    package func add(microseconds: Int64) {
        counted.withLock { $0.add(microseconds: microseconds) }
    }

    package var snapshot: Snapshot { counted.withLock { $0 } }
}
