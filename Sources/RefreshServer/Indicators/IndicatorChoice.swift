import RefreshProtocol

/// What a client says of an edge's indicator.
enum IndicatorChoice: Hashable {
    case none
    case named(String)
}

extension EdgeSettings {
    /// Takes the choice out of an edge's options: it is the session's, not the engine's. Nil:
    /// nothing was said.
    mutating func takeIndicator(of edge: Edge) -> IndicatorChoice? {
        guard case .overrides(var settings) = self[edge],
            let index = settings.firstIndex(where: { $0.field == .indicator })
        else { return nil }
        let value = settings.remove(at: index).value
        self[edge] = .overrides(settings)
        if case .word(let name) = value { return .named(name) }
        return IndicatorChoice.none
    }
}
