package import RefreshProtocol

/// Where the refresh edge is. What holds in each case stands with it; its transitions are in
/// `RefreshPhase+Transition.swift`, whole.
package enum RefreshPhase: Hashable, Sendable {
    /// No pull is seen. Can become: idle.
    case disabled
    /// Nothing is shown and nothing runs. Can become: pulling, eligible, triggered, refreshing, disabled.
    case idle
    /// The content is pulled by this part (above 0, at most 1) of the threshold and a release does
    /// nothing. Can become: idle, eligible, refreshing, triggered, disabled.
    case pulling(progress: Double)
    /// The threshold is reached under an open gesture that has not fired; the release fires. Can
    /// become: pulling, idle, refreshing, triggered, disabled.
    case eligible
    /// This load runs, asked for by the program from the client's own backend, which has not said yet
    /// that it began; nothing is shown. Can become: refreshing, idle, disabled.
    case triggered(LoadID)
    /// The indicator turns: for this load, or, with nil, for its own sake. Can become: idle, disabled,
    /// and without a load refreshing with one.
    case refreshing(LoadID?)

    package var state: EdgeState {
        switch self {
        case .disabled: .disabled
        case .idle: .idle
        case .pulling: .pulling
        case .eligible: .eligible
        case .triggered: .triggered
        case .refreshing: .refreshing
        }
    }

    /// The load that is in flight.
    package var load: LoadID? {
        switch self {
        case .triggered(let load): load
        case .refreshing(let load): load
        case .disabled, .idle, .pulling, .eligible: nil
        }
    }

    /// Whether a pull or a refresh is in progress: then the other edge asks for nothing.
    package var isActive: Bool {
        switch self {
        case .disabled, .idle: false
        case .pulling, .eligible, .triggered, .refreshing: true
        }
    }

    package var progress: Double {
        switch self {
        case .pulling(let progress): progress
        case .eligible: 1
        case .disabled, .idle, .triggered, .refreshing: 0
        }
    }
}
