package import RefreshProtocol

/// The user's interaction with the list: one gesture from touch to rest. An edge fires only during
/// an open gesture. A gesture fires each edge at most once, even if the finger stays down (B-IQ-1,
/// B-IQ-16). But an option can permit a gesture to fire the same edge again
/// (`EdgeRequest.isRenewed`).
package struct Gesture: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        /// No finger touches the list, and the list does not move. Can become: `dragging`,
        /// `coasting`.
        case resting
        /// A finger is down. Can become: `coasting`, `resting`.
        case dragging
        /// The list moves without a finger: inertia, bounce, wheel, keys. Can become: `dragging`,
        /// `resting`.
        case coasting
    }

    /// The distance between the resting offset and the place from which a pull counts, in points.
    /// It differs from 0 after sizes have changed under a finger that has not moved.
    @OmittedIfUsual package internal(set) var restShift: Double
    /// The place at which the finger holds a list that lies outside its start without an intent of
    /// the user, in points. Examples are a list that the finger caught while a refresh was shown,
    /// and a list whose floor closed under the finger. The list can be far beyond the threshold at
    /// this place, although it was not pulled. Nil for other gestures. It becomes nil when the
    /// finger pulls the list farther, or when the list has been back at its start.
    package internal(set) var heldAt: Double?
    // In memory, `heldAt` ends in the middle of a machine word. The following small members fill
    // the rest of it.
    package internal(set) var phase = Phase.resting
    /// The cause of the movement.
    package internal(set) var cause = Cause.finger
    /// Whether the movement expresses the user's intent. It does so from the phase `began`, or from
    /// the first input by a wheel, a key or an accessibility action. The intent ends when the list
    /// rests, or when the gesture is cancelled.
    package internal(set) var isOpen = false
    package internal(set) var hasFiredRefresh = false
    package internal(set) var hasFiredMore = false
    /// Whether the last movement went towards the end of the content.
    package internal(set) var movesTowardsEnd = false

    package init() {}

    package var isFingerDown: Bool { phase == .dragging }

    /// Begins a gesture under a finger. A movement by the program is not a gesture of the user.
    mutating func begin(cause: Cause, heldAt: Double? = nil) {
        self = Gesture()
        phase = .dragging
        self.heldAt = heldAt
        self.cause = cause
        isOpen = !cause.isProgram
    }

    /// Records movement without a finger. If a finger began the gesture, the gesture continues.
    /// Input by a wheel, by a key or by an accessibility action begins a gesture of its own. A
    /// movement by the program ends the gesture.
    mutating func recordCoasting(cause: Cause) {
        guard phase != .coasting || cause != self.cause else { return }
        switch cause {
        case .wheel, .key, .accessibility:
            let wasSame = isOpen && cause == self.cause
            if !wasSame {
                self = Gesture()
                self.cause = cause
                isOpen = true
            }
        case .code:
            self = Gesture()
            self.cause = cause
        case .finger, .retry, .fill, .stale, .changed, .poll, .visual, .query, .initial: break
        }
        phase = .coasting
    }

    /// Handles a finger that left without a release, so that an armed edge is disarmed.
    mutating func cancel() {
        phase = .coasting
        isOpen = false
    }

    mutating func reset() {
        self = Gesture()
    }

    /// Records the direction of a movement. A movement back from a pull to the resting offset does
    /// not count as movement towards the end.
    mutating func recordMovement(from old: Double, to new: Double, rest: Double) {
        if new != old { movesTowardsEnd = new > old && old >= rest }
    }

    /// Handles new content. Wheel or key input that continues after the new content counts as a new
    /// intent. The gesture of a finger remains one gesture until its end.
    mutating func handleNewContent() {
        switch cause {
        case .wheel, .key, .accessibility: if phase == .coasting { hasFiredMore = false }
        case .finger, .code, .retry, .fill, .stale, .changed, .poll, .visual, .query, .initial:
            break
        }
    }

    mutating func markFired(_ role: EdgeRole) {
        switch role {
        case .refresh: hasFiredRefresh = true
        case .loadMore: hasFiredMore = true
        }
    }
}
