import RefreshProtocol

/// What a state shows of a programme. Source: docs/indicators.md, "What is shown when".
enum StateDisplay: Hashable, Sendable {
    case pull
    case run
    /// The end of the run, and the finish, at whose end it stays.
    case end
    /// Those, if there was a run; then, or else, the rest.
    case rest
    /// The rest at once.
    case nothing
}

extension EdgeState {
    /// What it shows at an edge of that role.
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
