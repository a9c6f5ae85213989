extension EdgeState {
    /// The wire name as bytes, without a string.
    var wireText: StaticString {
        switch self {
        case .disabled: "disabled"
        case .idle: "idle"
        case .pulling: "pulling"
        case .eligible: "eligible"
        case .triggered: "triggered"
        case .refreshing: "refreshing"
        case .succeeded: "succeeded"
        case .finishing: "finishing"
        case .approaching: "approaching"
        case .loading: "loading"
        case .failed: "failed"
        case .noMore: "noMore"
        }
    }
}
