package import RefreshProtocol

/// The phase of the secondary page (`floor`) behind a refresh edge. All transitions are in
/// `FloorPhase+Transition.swift`.
package enum FloorPhase: Hashable, Sendable, Codable {
    /// The floor is closed, and is not being pulled open. Can become: `pulling`, `eligible`,
    /// `opening`.
    case closed
    /// The list is pulled by this fraction (above 0, at most 1) of the distance from the refresh
    /// threshold to the floor's threshold. Can become: `closed`, `eligible`, `opening`.
    case pulling(progress: Double)
    /// The list has reached the floor's threshold in an open gesture, and the release of the finger
    /// will open the floor. Can become: `pulling`, `closed`, `opening`.
    case eligible
    /// The floor is becoming visible: its opening takes time. Can become: `open`, `closing`,
    /// `closed`.
    case opening
    /// The floor is visible. Can become: `closing`, `closed`.
    case open
    /// The floor is becoming invisible: its closing takes time. Can become: `closed`, `opening`.
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

    /// Whether the list belongs to the floor. If it does, no edge evaluates the movement of the
    /// list.
    package var ownsList: Bool {
        switch self {
        case .opening, .open, .closing: true
        case .closed, .pulling, .eligible: false
        }
    }
}

/// The inputs of the second floor's state machine.
package enum FloorFact: Hashable, Sendable {
    /// The list is pulled by this fraction (0...1) of the distance from the refresh threshold to
    /// the floor's threshold. `mayArm` states whether the release may open the floor.
    case pulled(progress: Double, mayArm: Bool)
    /// The finger was lifted. If `isFast` is true, the speed of the finger opens the floor, even if
    /// the list has not reached the floor's threshold.
    case released(isFast: Bool)
    /// The gesture was cancelled.
    case cancelled
    /// The list came to rest.
    case rested
    /// Opening was requested.
    case openRequested
    /// Closing was requested by a message, by a swipe or by a timeout.
    case closeRequested
    /// The time for opening or closing has passed.
    case arrived
    /// The floor was removed from the edge.
    case removed
}

/// The action of a transition of the second floor, which the engine performs.
package enum FloorAction: Hashable, Sendable {
    case nothing
    /// Send the state or progress.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger pulled back from the threshold.
    case disarm
    /// The floor becomes visible.
    case open
    /// The floor becomes invisible.
    case close
    /// The floor disappears immediately.
    case remove
}
