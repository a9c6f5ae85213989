/// A logical edge of a view as named on the wire: `top` and `bottom` of a vertical view, `leading`
/// and `trailing` of a horizontal view. `leading` and `trailing` change sides with the layout
/// direction. Source: docs/protocol.md, "Axes and edges".
package enum Edge: String, CaseIterable, WireNamed, Sendable, Codable {
    case top
    case bottom
    case leading
    case trailing
}

/// The purpose of an edge. A view has at most one edge of each role, at the two ends of its axis.
/// Source: docs/protocol.md, "Axes and edges".
package enum EdgeRole: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Pull to refresh, where reading begins.
    case refresh
    /// Load more, where reading ends.
    case loadMore
}

/// The state of an edge as named on the wire. Source: docs/protocol.md, "States".
package enum EdgeState: String, CaseIterable, Sendable, Codable {
    case disabled
    case idle
    /// Refresh: pulled by a part of the threshold.
    case pulling
    /// Pulled to the threshold, waiting for the release.
    case eligible
    /// Begun, and waiting for the client's backend or for the end of the other edge's load.
    case triggered
    case refreshing
    /// Refresh: the result is displayed for a while, as in `failed`.
    case succeeded
    /// Refresh: complete, but parts of it are still visible.
    case finishing
    /// Load more: near the threshold.
    case approaching
    case loading
    case failed
    case noMore
}

/// The state of the second floor of a refresh edge. Source: docs/protocol.md, "The second floor".
package enum FloorState: String, CaseIterable, Sendable, Codable {
    /// Closed, and not being pulled open.
    case closed
    /// The list is pulled by a part of the distance to the second floor.
    case pulling
    /// Pulled far enough: the release opens it.
    case eligible
    case opening
    case open
    case closing
}
