import RefreshProtocol

/// The daemon's inset shares of a view, in named amounts. Exactly the added amounts are removed
/// again, regardless of changes by the host or an option in between (B-IQ-8, B-IQ-9, O-IQ-7).
///
/// Desired amounts are sent only while no finger is down; `told…` are the amounts that the client
/// knows.
package struct InsetLedger: Hashable, Sendable, Codable {
    /// The refresh indicator's room, points.
    package var refresh = 0.0
    /// The second floor's room, at the same edge, points.
    package var floor = 0.0
    /// The load-more indicator's room, points.
    package var loadMore = 0.0
    /// The share at the refresh edge that was last sent, points.
    package private(set) var toldRefresh = 0.0
    /// The share at the load-more edge that was last sent, points.
    package private(set) var toldLoadMore = 0.0

    package init() {}

    /// The complete desired share at the refresh edge: the floor covers the indicator.
    package var desiredRefresh: Double { max(refresh, floor) }

    package var isFullySent: Bool { desiredRefresh == toldRefresh && loadMore == toldLoadMore }

    /// Withdraws shares that did not reach the client, which still has the given shares.
    mutating func withdraw(clientHasRefresh refresh: Double, loadMore: Double) {
        toldRefresh = refresh
        toldLoadMore = loadMore
    }

    /// The command for the shares that were not sent yet; nil if there are none.
    mutating func issueCommand(start: Instant, duration: Double) -> InsetCommand? {
        guard !isFullySent else { return nil }
        let command = InsetCommand(
            refresh: desiredRefresh == toldRefresh ? nil : desiredRefresh,
            loadMore: loadMore == toldLoadMore ? nil : loadMore,
            timeline: Timeline(start: start, duration: duration, curve: .easeInOut))
        toldRefresh = desiredRefresh
        toldLoadMore = loadMore
        return command
    }
}
