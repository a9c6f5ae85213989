internal import Synchronization

/// How long items took from the begin of their load, by backend, as one loop counts it. Backends
/// may come while the daemon runs; those that go keep what was counted.
package final class TimesToItems: Sendable {
    /// What was counted of one backend.
    package struct Row: Hashable, Sendable {
        /// The key of `backends`, or the name of the feed that has its backend for itself.
        package var backend: String
        package var durations = CallDurations.Snapshot()

        package init(backend: String) { self.backend = backend }
    }

    private struct Counted {
        /// In the order in which they came.
        var rows: [Row] = []
        var rowOfBackend: [String: Int] = [:]
        var rowOfFeed: [String: Int] = [:]

        /// A backend without a name has no row.
        mutating func adopt(_ feeds: [MeasuredFeed]) {
            for feed in feeds where !feed.backend.isEmpty && feed != .other {
                let row = rowOfBackend[feed.backend] ?? rows.count
                if row == rows.count {
                    rows.append(Row(backend: feed.backend))
                    rowOfBackend[feed.backend] = row
                }
                rowOfFeed[feed.name] = row
            }
        }
    }

    // Taken once a load, and by who reads the metrics.
    private let counted: Mutex<Counted>

    init(feeds: [MeasuredFeed]) {
        var counted = Counted()
        counted.adopt(feeds)
        self.counted = Mutex(counted)
    }

    /// Other feeds are configured; loads of those that are not any more may still end.
    func adopt(_ feeds: [MeasuredFeed]) { counted.withLock { $0.adopt(feeds) } }

    func add(microseconds: Int64, feed: String) {
        counted.withLock { counted in
            guard let row = counted.rowOfFeed[feed] else { return }
            counted.rows[row].durations.add(microseconds: microseconds)
        }
    }

    var snapshot: [Row] { counted.withLock(\.rows) }
}

extension [TimesToItems.Row] {
    /// Adds what another loop has counted, by the names of the backends.
    static func += (sum: inout Self, other: Self) {
        for row in other {
            if let index = sum.firstIndex(where: { $0.backend == row.backend }) {
                sum[index].durations += row.durations
            } else {
                sum.append(row)
            }
        }
    }
}
