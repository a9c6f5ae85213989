/// The bounds of the update latency histogram.
package enum LatencyBuckets {
    /// The upper bounds of the buckets, inclusive, in microseconds, ascending. One more bucket is
    /// for latencies above the last bound.
    package static let microseconds: [Int64] = [
        5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000,
        1_000_000,
    ]

    /// Returns the index of the bucket of `latency`, 0 to `microseconds.count`.
    package static func index(of latency: Int64) -> Int {
        microseconds.firstIndex { latency <= $0 } ?? microseconds.count
    }
}
