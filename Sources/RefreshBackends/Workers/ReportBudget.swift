internal import RefreshProtocol

/// A rate limit for the progress reports of one load. Without it, a worker could keep the broker
/// busy with reports.
struct ReportBudget: Sendable {
    /// The maximum number of reports in one second.
    private static let reportsMax = 100

    private var since = Instant(microseconds: .min)
    private var count = 0

    /// Counts a report. Returns false if it exceeds the limit.
    mutating func countReport(at now: Instant) -> Bool {
        if count == 0 || now.milliseconds(since: since) >= 1000 {
            since = now
            count = 0
        }
        count += 1
        return count <= Self.reportsMax
    }
}
