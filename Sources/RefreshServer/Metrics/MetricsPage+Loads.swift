internal import RefreshProtocol
internal import RefreshSession

/// The metrics of loads. `LoadMetrics` counts the loads.
extension MetricsPage {
    func addLoads(to page: inout MetricsText) {
        page.family("refreshd_loads_started_total", .counter, "Loads that began.")
        for (row, feed) in total.feeds.enumerated() where isShown(row) {
            page.sample(total.loadsStarted[row], Self.labels(feed))
        }
        page.family("refreshd_loads_total", .counter, "Loads that ended, by result.")
        for (row, feed) in total.feeds.enumerated() where isShown(row) {
            for (column, result) in LoadResult.allCases.enumerated() {
                page.sample(
                    total.loadsEnded[row * LoadResult.allCases.count + column],
                    Self.labels(feed) + [("result", result.rawValue)])
            }
        }
        page.family(
            "refreshd_stale_loads_total", .counter,
            "Answers dropped because their load was no longer current.")
        page.sample(total.lateAnswers)
        page.family(
            "refreshd_orphaned_loads_total", .counter,
            "Answers dropped because their session was gone.")
        page.sample(total.lateAnswersWithoutSession)
        page.family(
            "refreshd_stalled_cursors_total", .counter,
            "Lists that ended because the cursor of their pages does not advance.")
        page.sample(total.stalledCursors)
    }

    /// Whether the page contains the samples of a feed (`row` is its index in `total.feeds`). The
    /// row `other` counts the loads of unknown feeds, and is left out if there were none.
    private func isShown(_ row: Int) -> Bool {
        total.feeds[row] != .other || total.loadsStarted[row] > 0
    }

    private static func labels(_ feed: MeasuredFeed) -> [(String, String)] {
        [("feed", feed.name), ("kind", feed.kind)]
    }

    func addLoadDurations(to page: inout MetricsText) {
        page.family(
            "refreshd_time_to_items_seconds", .histogram,
            "From the start of a load to the sending of its items.")
        for row in total.loadDurations {
            page.histogram(row.durations, [("backend", row.backend)])
        }
    }
}
