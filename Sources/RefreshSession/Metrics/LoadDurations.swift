internal import Synchronization

/// The times from the start of loads until their items were sent. One loop counts them, separately
/// for each backend. Backends may be added while the daemon runs. Removed backends keep their
/// counts.
package final class LoadDurations: Sendable {
    /// The counts of one backend.
    package struct Row: Hashable, Sendable {
        /// The backend's name under `backends` in the configuration, or the feed's name if the feed
        /// has its own backend.
        package var backend: String
        package var durations = CallDurations.Snapshot()

        package init(backend: String) { self.backend = backend }
    }

    private struct Counted {
        /// The rows, in the order in which they were added.
        var rows: [Row] = []
        var rowOfBackend: [String: Int] = [:]
        var rowOfFeed: [String: Int] = [:]

        /// Adds the feeds' backends. A backend without a name has no row.
        mutating func addRows(for feeds: [MeasuredFeed]) {
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

    // The mutex is locked once per load, and by readers of the metrics.
    private let counted: Mutex<Counted>

    init(feeds: [MeasuredFeed]) {
        var counted = Counted()
        counted.addRows(for: feeds)
        self.counted = Mutex(counted)
    }

    /// Adds rows for the backends of new feeds. Rows of removed feeds stay, because their loads may
    /// still end.
    func addRows(for feeds: [MeasuredFeed]) { counted.withLock { $0.addRows(for: feeds) } }

    func add(microseconds: Int64, feed: String) {
        counted.withLock { counted in
            guard let row = counted.rowOfFeed[feed] else { return }
            counted.rows[row].durations.add(microseconds: microseconds)
        }
    }

    var snapshot: [Row] { counted.withLock(\.rows) }
}

extension [LoadDurations.Row] {
    /// Adds the counts of another loop. Rows are matched by the name of the backend.
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
