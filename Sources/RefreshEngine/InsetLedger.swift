import RefreshProtocol

/// What the daemon has added to the view's insets, in named amounts: exactly what was added is
/// taken away again, whatever the host or an option did in between (B-IQ-8, B-IQ-9, O-IQ-7).
///
/// What is wanted is told only while no finger is down; `told…` is what the client knows.
package struct InsetLedger: Hashable, Sendable, Codable {
    /// The refresh indicator's room, points.
    package var refresh = 0.0
    /// The second floor's room, at the same edge, points.
    package var floor = 0.0
    /// The load-more indicator's room, points.
    package var loadMore = 0.0
    /// The share at the refresh edge that the client was told, points.
    package private(set) var toldRefresh = 0.0
    /// The share at the load-more edge that the client was told, points.
    package private(set) var toldLoadMore = 0.0

    package init() {}

    /// The whole share wanted at the refresh edge: the floor covers the indicator.
    package var wantedRefresh: Double { max(refresh, floor) }

    package var isSettled: Bool { wantedRefresh == toldRefresh && loadMore == toldLoadMore }

    /// What was told did not reach the client, which has these.
    mutating func withdraw(clientHasRefresh refresh: Double, loadMore: Double) {
        toldRefresh = refresh
        toldLoadMore = loadMore
    }

    /// The command that tells what was not told yet; nil if there is nothing.
    mutating func tell(start: Instant, duration: Double) -> InsetCommand? {
        guard !isSettled else { return nil }
        let command = InsetCommand(
            refresh: wantedRefresh == toldRefresh ? nil : wantedRefresh,
            loadMore: loadMore == toldLoadMore ? nil : loadMore,
            timeline: Timeline(start: start, duration: duration, curve: .easeInOut))
        toldRefresh = wantedRefresh
        toldLoadMore = loadMore
        return command
    }
}
