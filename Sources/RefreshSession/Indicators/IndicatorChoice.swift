import RefreshProtocol

/// A client's choice of an edge's indicator.
enum IndicatorChoice: Hashable {
    case none
    case named(String)
}

extension EdgeSettings {
    /// Removes the choice from an edge's options, and returns it. Returns nil if there is no
    /// choice. The session applies the choice, and the engine does not use it.
    mutating func removeIndicator(of edge: Edge) -> IndicatorChoice? {
        guard case .overrides(var settings) = self[edge],
            let index = settings.firstIndex(where: { $0.field == .indicator })
        else { return nil }
        let value = settings.remove(at: index).value
        self[edge] = .overrides(settings)
        if case .keyword(let name) = value { return .named(name) }
        return IndicatorChoice.none
    }
}
