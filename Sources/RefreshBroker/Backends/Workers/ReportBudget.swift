internal import RefreshProtocol

/// How often one load may say how far it is: a worker that says nothing else must not keep the
/// broker busy.
struct ReportBudget: Sendable {
    /// In one second.
    private static let reportsMax = 100

    private var since = Instant(microseconds: .min)
    private var count = 0

    /// False if it is one too many.
    mutating func take(at now: Instant) -> Bool {
        if count == 0 || now.milliseconds(since: since) >= 1000 {
            since = now
            count = 0
        }
        count += 1
        return count <= Self.reportsMax
    }
}
