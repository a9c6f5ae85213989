/// A logical edge of a view as named on the wire: `top` and `bottom` of a vertical view, `leading`
/// and `trailing` of a horizontal view. `leading` and `trailing` change sides with the layout
/// direction. Source: docs/protocol.md, "Axes and edges".
public enum Edge: String, CaseIterable, WireNamed, Sendable, Codable {
    case top
    case bottom
    case leading
    case trailing
}

/// The purpose of an edge. A view has at most one edge of each role, at the two ends of its axis.
/// Source: docs/protocol.md, "Axes and edges".
public enum EdgeRole: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Pull to refresh. The edge is where reading begins.
    case refresh
    /// Load more. The edge is where reading ends.
    case loadMore
}

/// The state of an edge as named on the wire. Source: docs/protocol.md, "States".
public enum EdgeState: String, CaseIterable, Sendable, Codable {
    case disabled
    case idle
    /// Only at a refresh edge: the list is pulled by a part of the distance to the threshold.
    case pulling
    /// The list is at the threshold or beyond it, and the edge waits for the release.
    case eligible
    /// A load was requested. It waits for the client's own backend to begin, or for the end of the
    /// other edge's load.
    case triggered
    case refreshing
    /// Only at a refresh edge: the refresh has succeeded, and this result is displayed for a time.
    case succeeded
    /// Only at a refresh edge: the refresh has ended, but parts of its display are still visible.
    case finishing
    /// Only at a load-more edge: the list is near the threshold.
    case approaching
    case loading
    case failed
    case noMore
}

/// The state of the second floor of a refresh edge. Source: docs/protocol.md, "The second floor".
public enum FloorState: String, CaseIterable, Sendable, Codable {
    /// The floor is closed, and is not being pulled open.
    case closed
    /// The list is pulled by a part of the distance to the second floor.
    case pulling
    /// The list is pulled far enough, so that a release opens the floor.
    case eligible
    case opening
    case open
    case closing
}
