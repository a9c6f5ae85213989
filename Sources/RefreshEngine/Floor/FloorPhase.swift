package import RefreshProtocol

/// Where the second floor behind a refresh edge is. Its transitions are in
/// `FloorPhase+Transition.swift`, whole.
package enum FloorPhase: Hashable, Sendable, Codable {
    /// Nobody is on the way to it. Can become: pulling, eligible, opening.
    case closed
    /// The list is pulled by this part (above 0, at most 1) of the way from the refresh threshold
    /// to the floor's. Can become: closed, eligible, opening.
    case pulling(progress: Double)
    /// The threshold is reached under an open gesture; the release opens it. Can become: pulling,
    /// closed, opening.
    case eligible
    /// It comes into sight. Can become: open, closing, closed.
    case opening
    /// It is in sight. Can become: closing, closed.
    case open
    /// It goes out of sight. Can become: closed, opening.
    case closing

    package var state: FloorState {
        switch self {
        case .closed: .closed
        case .pulling: .pulling
        case .eligible: .eligible
        case .opening: .opening
        case .open: .open
        case .closing: .closing
        }
    }

    package var progress: Double {
        switch self {
        case .pulling(let progress): progress
        case .eligible: 1
        case .closed, .opening, .open, .closing: 0
        }
    }

    /// Whether the list belongs to the floor: then no edge sees what moves it.
    package var hasTheList: Bool {
        switch self {
        case .opening, .open, .closing: true
        case .closed, .pulling, .eligible: false
        }
    }
}
