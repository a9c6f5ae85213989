/// The axis of a view, and the end at which reading begins. Source: docs/protocol.md, "Axes and
/// edges".
package struct ViewLayout: Hashable, Sendable, Codable {
    package var axis: Axis
    /// Whether reading begins at the edge `bottom` or `trailing`, as in a chat. If so, this edge is
    /// the refresh edge.
    package var isReversed: Bool

    package init(axis: Axis = .vertical, isReversed: Bool = false) {
        self.axis = axis
        self.isReversed = isReversed
    }

    /// The edge that has `role`.
    package func edge(of role: EdgeRole) -> Edge {
        let isFirst = (role == .refresh) != isReversed
        switch axis {
        case .vertical: return isFirst ? .top : .bottom
        case .horizontal: return isFirst ? .leading : .trailing
        }
    }

    /// The roles of `edge`; empty if it lies on the other axis.
    package func roles(of edge: Edge) -> [EdgeRole] {
        EdgeRole.allCases.filter { self.edge(of: $0) == edge }
    }
}

/// The direction in which a view scrolls. Source: docs/protocol.md, "Axes and edges".
public enum Axis: String, CaseIterable, WireNamed, Sendable, Codable {
    case vertical
    case horizontal
}

/// The side on which lines begin, which is also the leading edge of a horizontal view. Source:
/// docs/protocol.md, "geometry".
public enum LayoutDirection: String, CaseIterable, WireNamed, Sendable, Codable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}
