package import RefreshProtocol

/// The metrics of one event loop's loads: their starts and ends, the times until their items were
/// sent, and the answers that were dropped.
///
/// As in `SessionMetrics`, only the loop's thread may call the record methods, and any thread may
/// read the counts.
package final class LoadMetrics: Sendable {
    private let started: [Counter]
    private let ended: [Counter]
    private let loadDurations: LoadDurations
    private let lateAnswers = Counter()
    private let lateAnswersWithoutSession = Counter()
    private let stalledCursors = Counter()

    /// The rows of the counters. The first row is for the loads of clients that are their own
    /// backend. One row per configured feed follows. The last row is for all other loads.
    let feeds: [MeasuredFeed]
    private let feedRow: [String: Int]

    /// - Parameter feeds: The feeds whose loads are counted by name.
    init(feeds: [MeasuredFeed]) {
        let rows = [.client] + feeds + [.other]
        self.feeds = rows
        feedRow = Dictionary(
            feeds.enumerated().map { ($1.name, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        loadDurations = LoadDurations(feeds: feeds)
        started = Counter.row(rows.count)
        ended = Counter.row(rows.count * LoadResult.allCases.count)
    }

    /// Counts a load that began. If `feed` is nil, the client performs the load.
    package func recordStart(feed: String?) { started[row(of: feed)].add(1) }

    /// Counts the end of a load that `recordStart` counted.
    package func recordEnd(feed: String?, result: LoadResult) {
        let row = row(of: feed) * LoadResult.allCases.count
        ended[row + SessionCounts.row(of: result)].add(1)
    }

    /// Counts how long a load took from its start until its items were sent.
    package func recordDuration(microseconds: Int64, feed: String) {
        loadDurations.add(microseconds: microseconds, feed: feed)
    }

    /// Counts a late answer: a dropped answer to a load that has ended. The name of this metric is
    /// `refreshd_stale_loads_total`.
    package func recordLateAnswer() { lateAnswers.add(1) }

    /// Counts a late answer whose session has ended. The name of this metric is
    /// `refreshd_orphaned_loads_total`.
    package func recordLateAnswerWithoutSession() { lateAnswersWithoutSession.add(1) }

    /// Counts a list that ended because the cursor of its pages does not advance.
    package func recordStalledCursor() { stalledCursors.add(1) }

    /// Applies the feeds of another configuration. For a new feed, the times until items are sent
    /// are counted under the name of its backend. The starts and ends of its loads count as
    /// `other`, because the rows of `feeds` are fixed.
    package func update(feeds: [MeasuredFeed]) { loadDurations.addRows(for: feeds) }

    /// Writes the metrics of loads into `counts`. Any thread may call it.
    func read(into counts: inout SessionCounts) {
        counts.loadsStarted = started.map(\.value)
        counts.loadsEnded = ended.map(\.value)
        counts.loadDurations = loadDurations.snapshot
        counts.lateAnswers = lateAnswers.value
        counts.lateAnswersWithoutSession = lateAnswersWithoutSession.value
        counts.stalledCursors = stalledCursors.value
    }

    private func row(of feed: String?) -> Int {
        guard let feed else { return 0 }
        return feedRow[feed] ?? feeds.count - 1
    }
}
