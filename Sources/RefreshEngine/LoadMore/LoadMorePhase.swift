package import RefreshProtocol

/// The phase of the load-more edge. The *zone* of the edge begins `length` points before the
/// threshold. All transitions are in `LoadMorePhase+Transition.swift`.
package enum LoadMorePhase: Hashable, Sendable, Codable {
    /// Nothing is requested. Can become: `idle`, `noMore`.
    case disabled
    /// The list is away from the end, or at rest there with nothing to request. Can become:
    /// `approaching`, `eligible`, `waiting`, `triggered`, `loading`, `noMore`, `disabled`.
    case idle
    /// The list has covered this fraction (above 0, at most 1) of the zone before the threshold.
    /// Can become: `idle`, `eligible`, `waiting`, `triggered`, `loading`, `noMore`, `disabled`.
    case approaching(progress: Double)
    /// The list has reached the threshold in an open gesture that may request a page, and the
    /// release fires. Can become: `approaching`, `idle`, `waiting`, `triggered`, `loading`,
    /// `noMore`, `disabled`.
    case eligible
    /// A load was requested and waits until the refresh has ended. Can become: `triggered`,
    /// `loading`, `idle`, `noMore`, `disabled`.
    case waiting
    /// This load runs. The program requested it from the client's own backend, which has not
    /// reported the beginning of the load yet. Nothing is shown. Can become: `loading`, `idle`,
    /// `failed`, `noMore`, `disabled`.
    case triggered(LoadID)
    /// This load runs. Can become: `idle`, `failed`, `noMore`, `disabled`.
    case loading(LoadID)
    /// The last load failed. This phase ends when the list leaves the zone, or when new content
    /// arrives. It also ends with an explicit request (for example `retry`), and when a gesture may
    /// request a page again (`LoadMoreFact.rearmed`). Can become: `idle`, `waiting`, `triggered`,
    /// `loading`, `noMore`, `disabled`.
    case failed
    /// The backend reported the end of the list. Can become: `disabled`, and after a refresh or
    /// a reset `idle`.
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

    /// Whether a gesture may request a load. If it may, the edge is enabled, no load runs or waits,
    /// the last load has not failed, and there can be a next page.
    var acceptsRequests: Bool {
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
