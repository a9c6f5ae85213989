import RefreshProtocol

/// The part of a programme that a state shows. Source: docs/indicators.md, "What is shown when".
enum StateDisplay: Hashable, Sendable {
    case pull
    case run
    /// The run ends and the finish plays. The look at the end of the finish stays.
    case end
    /// If a run is shown, the run ends and the finish plays. After the finish, the look at rest is
    /// shown. If no run is shown, the look at rest is shown immediately.
    case rest
    /// The look at rest is shown immediately.
    case nothing
}

extension EdgeState {
    /// The display of this state at an edge with that role.
    func display(at role: EdgeRole) -> StateDisplay {
        switch self {
        case .pulling, .approaching, .eligible: .pull
        case .refreshing, .loading: .run
        case .succeeded, .finishing: .end
        case .failed: role == .refresh ? .end : .rest
        case .idle, .noMore: .rest
        case .disabled, .triggered: .nothing
        }
    }
}
