/// A command to set the daemon's own share of the insets. If the share of an edge is nil, the inset
/// at that edge stays unchanged.
package struct InsetCommand: Hashable, Sendable, Codable {
    package var timeline: Timeline
    // Two flags need less memory than two optionals, and every view contains one command.
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

    /// The whole share at the refresh edge after the command, in points.
    package var refresh: Double? { hasRefresh ? refreshShare : nil }
    package var loadMore: Double? { hasLoadMore ? loadMoreShare : nil }

    /// The whole share at the edge with this role after the command, in points.
    package subscript(role: EdgeRole) -> Double? {
        switch role {
        case .refresh: refresh
        case .loadMore: loadMore
        }
    }
}
