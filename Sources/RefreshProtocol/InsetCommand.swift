/// An order to set the daemon's own share of the insets; nil leaves an edge alone.
package struct InsetCommand: Hashable, Sendable, Codable {
    /// The whole share at the edge of that role, points.
    package var refresh: Double?
    package var loadMore: Double?
    package var timeline: Timeline

    package init(refresh: Double? = nil, loadMore: Double? = nil, timeline: Timeline) {
        self.refresh = refresh
        self.loadMore = loadMore
        self.timeline = timeline
    }
}
