/// The options of edges in a message. The members have the wire names of the edges.
package struct EdgeSettings: Hashable, Sendable {
    package var top: EdgeSetting = .unchanged
    package var bottom: EdgeSetting = .unchanged
    package var leading: EdgeSetting = .unchanged
    package var trailing: EdgeSetting = .unchanged

    package init() {}

    package subscript(edge: Edge) -> EdgeSetting {
        get {
            switch edge {
            case .top: top
            case .bottom: bottom
            case .leading: leading
            case .trailing: trailing
            }
        }
        set {
            switch edge {
            case .top: top = newValue
            case .bottom: bottom = newValue
            case .leading: leading = newValue
            case .trailing: trailing = newValue
            }
        }
    }
}

/// The part of a message that concerns one edge's options.
package enum EdgeSetting: Hashable, Sendable {
    /// The options stay as they are.
    case unchanged
    /// `null`: the view has no such edge.
    case absent
    /// The changed options, each at most once, in the order of `OptionField`. An option may be
    /// unsuitable for the edge's role. The view checks this.
    case overrides([OptionSetting])
}
