import RefreshProtocol

/// The part of a programme that a state shows. Source: docs/indicators.md, "What is shown when".
enum StateDisplay: Hashable, Sendable {
    case pull
    case run
    /// The end of the run, and the finish, which stays at its end.
    case end
    /// The end of the run and the finish, if there was a run; after them, or otherwise at once, the
    /// rest.
    case rest
    /// The rest, at once.
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
