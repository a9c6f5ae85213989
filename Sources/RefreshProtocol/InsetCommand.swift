/// An order to set the daemon's own share of the insets; nil leaves an edge alone.
package struct InsetCommand: Hashable, Sendable, Codable {
    package var timeline: Timeline
    // Two flags instead of two optionals: one waits in every view.
    private var hasRefresh: Bool
    private var hasLoadMore: Bool
    private var refreshShare: Double
    private var loadMoreShare: Double

    package init(refresh: Double? = nil, loadMore: Double? = nil, timeline: Timeline) {
        self.timeline = timeline
        self.hasRefresh = refresh != nil
        self.hasLoadMore = loadMore != nil
        self.refreshShare = refresh ?? 0
        self.loadMoreShare = loadMore ?? 0
    }

    /// The whole share at the edge of that role, points.
    package var refresh: Double? { hasRefresh ? refreshShare : nil }
    package var loadMore: Double? { hasLoadMore ? loadMoreShare : nil }
}
