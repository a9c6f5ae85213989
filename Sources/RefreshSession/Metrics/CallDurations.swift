internal import Synchronization

/// The durations of the calls of one backend, or of the requests to the authentication service. Any
/// thread may use this object.
package final class CallDurations: Sendable {
    /// The counts so far.
    package struct Snapshot: Hashable, Sendable {
        /// The number of calls by bucket. The last bucket is for durations above the last bound.
        package var counts = [Int](repeating: 0, count: CallDurations.boundsMs.count + 1)
        package var sumMicroseconds = 0

        package init() {}

        /// Counts a call.
        mutating func add(microseconds: Int64) {
            counts[CallDurations.bucket(of: microseconds)] += 1
            sumMicroseconds &+= Int(clamping: microseconds)
        }

        static func += (sum: inout Snapshot, other: Snapshot) {
            for row in sum.counts.indices { sum.counts[row] += other.counts[row] }
            sum.sumMicroseconds &+= other.sumMicroseconds
        }
    }

    /// The upper bounds of the buckets, inclusive, in milliseconds, ascending.
    package static let boundsMs = [
        1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000,
    ]

    /// Returns the index of a duration's bucket, 0 to `boundsMs.count`.
    static func bucket(of microseconds: Int64) -> Int {
        boundsMs.firstIndex { microseconds <= Int64($0) * 1000 } ?? boundsMs.count
    }

    private let counted = Mutex(Snapshot())

    package init() {}

    /// Counts a call.
    package func add(microseconds: Int64) {
        counted.withLock { $0.add(microseconds: microseconds) }
    }

    package var snapshot: Snapshot { counted.withLock { $0 } }
}
