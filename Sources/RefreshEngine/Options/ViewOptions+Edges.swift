package import RefreshProtocol

extension ViewOptions {
    /// Applies a client's edge options, either all of them or none.
    ///
    /// - Throws: `missingEdge` with the edge's field for options of an edge that the view does not
    /// have, or `invalidOption` with the option's field.
    package mutating func apply(_ settings: EdgeSettings) throws(Fault) {
        var changed = self
        for edge in Edge.allCases { try changed.apply(settings[edge], to: edge) }
        self = changed
    }

    /// Applies options to the edge of that role, if the view has it.
    package mutating func apply(
        _ settings: [OptionSetting], to role: EdgeRole
    ) throws(Fault) {
        switch role {
        case .refresh: try refresh?.apply(settings)
        case .loadMore: try loadMore?.apply(settings)
        }
    }

    private mutating func apply(_ setting: EdgeSetting, to edge: Edge) throws(Fault) {
        let roles = layout.roles(of: edge)
        switch setting {
        case .unchanged: return
        case .absent: for role in roles { removeEdge(role) }
        case .overrides(let settings):
            let present = roles.filter { hasEdge($0) }
            if present.isEmpty { throw Fault(.missingEdge, field: edge.field) }
            for role in present { try apply(settings, to: role) }
        }
    }

    private mutating func removeEdge(_ role: EdgeRole) {
        switch role {
        case .refresh: refresh = nil
        case .loadMore: loadMore = nil
        }
    }
}

extension Edge {
    /// The field that holds the edge's options.
    fileprivate var field: Field {
        switch self {
        case .top: .top
        case .bottom: .bottom
        case .leading: .leading
        case .trailing: .trailing
        }
    }
}
