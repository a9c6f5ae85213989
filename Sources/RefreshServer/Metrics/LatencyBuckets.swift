/// The bounds of the update latency histogram.
package enum LatencyBuckets {
    /// Upper bounds, inclusive, in microseconds, ascending. What is larger than the last one falls
    /// into a bucket of its own.
    package static let microseconds: [Int64] = [
        5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000,
        1_000_000,
    ]

    /// The bucket that `latency` falls into, 0 to `microseconds.count`.
    package static func index(of latency: Int64) -> Int {
        microseconds.firstIndex { latency <= $0 } ?? microseconds.count
    }
}
