package import RefreshProtocol

/// The phase of the refresh edge. Each case documents its invariant; all transitions are in
/// `RefreshPhase+Transition.swift`.
package enum RefreshPhase: Hashable, Sendable, Codable {
    /// No pull is visible. Can become: `idle`.
    case disabled
    /// Nothing is shown and nothing runs. Can become: `pulling`, `eligible`, `waiting`,
    /// `triggered`, `refreshing`, `disabled`.
    case idle
    /// The list is pulled by this fraction (above 0, at most 1) of the distance to the threshold,
    /// and a release has no effect. Can become: `idle`, and every phase that `idle` can become.
    case pulling(progress: Double)
    /// The list has reached the threshold in an open gesture. The gesture has not fired the edge
    /// yet, and its release fires the edge. Can become: `idle`, and every phase that `idle` can
    /// become.
    case eligible
    /// A load was requested and waits until the other edge's load has ended; nothing is shown. Can
    /// become: `refreshing`, `triggered`, `idle`, `disabled`.
    case waiting
    /// This load runs. It was requested explicitly, and not by a gesture. The client itself loads
    /// the items, and has not reported yet that it has begun. Nothing is shown. Can become:
    /// `refreshing`, `idle`, `disabled`.
    case triggered(LoadID)
    /// The indicator turns for this load, or, if the value is nil, without a load. Can become:
    /// `lingering`, `held`, `finishing`, `idle`, `disabled`. Without a load, it can also become
    /// `waiting`, or `refreshing` with a load.
    case refreshing(LoadID?)
    /// The load has ended with this result; the indicator turns for the rest of its minimum time.
    /// Can become: `held`, `finishing`, `idle`, `refreshing`, `waiting`, `disabled`.
    case lingering(LoadResult)
    /// The result of the load is shown. Can become: `finishing`, `idle`, `refreshing`, `waiting`,
    /// `disabled`.
    case held(LoadResult)
    /// The room is closed or closing. This phase delays nothing: a requested refresh begins during
    /// it. Can become: `idle`, `refreshing`, `triggered`, `waiting`, `disabled`.
    case finishing

    package var state: EdgeState {
        switch self {
        case .disabled: .disabled
        case .idle: .idle
        case .pulling: .pulling
        case .eligible: .eligible
        case .waiting, .triggered: .triggered
        case .refreshing, .lingering: .refreshing
        case .held(let result): result.isAccepted ? .succeeded : .failed
        case .finishing: .finishing
        }
    }

    /// The load that is in flight.
    package var load: LoadID? {
        switch self {
        case .triggered(let load): load
        case .refreshing(let load): load
        case .disabled, .idle, .pulling, .eligible, .waiting, .lingering, .held, .finishing: nil
        }
    }

    /// Whether a pull or a refresh is in progress. During a pull or a refresh, the other edge
    /// requests nothing.
    package var isActive: Bool {
        switch self {
        case .disabled, .idle, .held, .finishing: false
        case .pulling, .eligible, .waiting, .triggered, .refreshing, .lingering: true
        }
    }

    /// Whether a pull or a turning indicator is visible. The shown result of a refresh does not
    /// count.
    package var isVisible: Bool {
        switch self {
        case .disabled, .idle, .waiting, .triggered, .held, .finishing: false
        case .pulling, .eligible, .refreshing, .lingering: true
        }
    }

    /// Whether the indicator is shown for a refresh or for its result. Only in these phases does
    /// the daemon open a room for the indicator.
    package var isShown: Bool {
        switch self {
        case .refreshing, .lingering, .held: true
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .finishing: false
        }
    }

    /// Whether the load of a refresh has ended, but the refresh is still shown or its room is
    /// closing.
    package var isShowingCompletion: Bool {
        switch self {
        case .lingering, .held, .finishing: true
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .refreshing: false
        }
    }

    package var progress: Double {
        switch self {
        case .pulling(let progress): progress
        case .eligible: 1
        case .disabled, .idle, .waiting, .triggered, .refreshing, .lingering, .held, .finishing: 0
        }
    }
}
