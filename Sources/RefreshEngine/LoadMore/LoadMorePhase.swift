package import RefreshProtocol

/// Where the load-more edge is. Its transitions are in `LoadMorePhase+Transition.swift`, whole.
package enum LoadMorePhase: Hashable, Sendable, Codable {
    /// Nothing is asked for. Can become: idle, noMore.
    case disabled
    /// The list is away from the end, or at rest there with nothing to ask. Can become:
    /// approaching, eligible, waiting, triggered, loading, noMore, disabled.
    case idle
    /// The end is near by this part (above 0, at most 1) of the way. Can become: idle, eligible,
    /// waiting, triggered, loading, noMore, disabled.
    case approaching(progress: Double)
    /// The threshold is reached under an open gesture that may ask; the release fires. Can become:
    /// approaching, idle, waiting, triggered, loading, noMore, disabled.
    case eligible
    /// A load was asked for and waits until the refresh has ended. Can become: loading, idle,
    /// noMore, disabled.
    case waiting
    /// This load runs, asked for by the program from the client's own backend, which has not said
    /// yet that it began; nothing is shown. Can become: loading, idle, failed, noMore, disabled.
    case triggered(LoadID)
    /// This load runs. Can become: idle, failed, noMore, disabled.
    case loading(LoadID)
    /// The last load failed; nothing is asked before `retry`, leaving the zone or new content. Can
    /// become: idle, waiting, triggered, loading, noMore, disabled.
    case failed
    /// The backend said that was all. Can become: idle after a refresh, disabled.
    case noMore

    package var state: EdgeState {
        switch self {
        case .disabled: .disabled
        case .idle: .idle
        case .approaching: .approaching
        case .eligible: .eligible
        case .waiting, .triggered: .triggered
        case .loading: .loading
        case .failed: .failed
        case .noMore: .noMore
        }
    }

    /// The load that is in flight.
    package var load: LoadID? {
        switch self {
        case .triggered(let load), .loading(let load): load
        case .disabled, .idle, .approaching, .eligible, .waiting, .failed, .noMore: nil
        }
    }

    /// Whether nothing runs, waits or has ended: a gesture may ask.
    var isOpen: Bool {
        switch self {
        case .idle, .approaching, .eligible: true
        case .disabled, .waiting, .triggered, .loading, .failed, .noMore: false
        }
    }

    package var progress: Double {
        switch self {
        case .approaching(let progress): progress
        case .eligible: 1
        case .disabled, .idle, .waiting, .triggered, .loading, .failed, .noMore: 0
        }
    }
}
