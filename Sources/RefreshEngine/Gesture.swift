package import RefreshProtocol

/// The user's hand on the list: one gesture from touch to rest.
///
/// A trigger needs an open gesture, and a gesture fires each edge at most once, however long the
/// finger stays (B-IQ-1, B-IQ-16).
package struct Gesture: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        /// Nobody touches the list and it does not move. May become: dragging, coasting.
        case resting
        /// A finger is down. May become: coasting, resting.
        case dragging
        /// The list moves without a finger: inertia, bounce, wheel, keys. May become: dragging,
        /// resting.
        case coasting
    }

    /// How far from the resting offset a pull begins to count, points: the sizes have changed under
    /// the finger, which has not moved.
    @OmittedIfUsual package internal(set) var restShift: Double
    /// Where the list was when the finger came down while a refresh was shown, points: there it may
    /// lie far beyond the threshold without having been pulled. Nil for other gestures, and after
    /// it was pulled.
    package internal(set) var heldAt: Double?
    // Behind it, for it ends in the middle of a word, which these fill.
    package internal(set) var phase = Phase.resting
    /// What moves the list.
    package internal(set) var cause = Cause.finger
    /// Whether the user's intent stands behind the movement: from `began` to rest.
    package internal(set) var isOpen = false
    package internal(set) var hasFiredRefresh = false
    package internal(set) var hasFiredMore = false
    /// Whether the last movement went towards the end of the content.
    package internal(set) var movesTowardsEnd = false

    package init() {}

    package var isFingerDown: Bool { phase == .dragging }

    /// A new gesture begins under a finger; what the program moves is no gesture of the user.
    mutating func begin(cause: Cause, heldAt: Double? = nil) {
        self = Gesture()
        phase = .dragging
        self.heldAt = heldAt
        self.cause = cause
        isOpen = !cause.isProgram
    }

    /// The list moves without a finger. What was begun goes on; wheel, keys and accessibility are
    /// intents of their own, program code is none.
    mutating func coast(cause: Cause) {
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
        case .finger, .retry, .fill, .stale, .changed, .visual: break
        }
        phase = .coasting
    }

    /// The finger left without a release: what it armed is void.
    mutating func cancel() {
        phase = .coasting
        isOpen = false
    }

    mutating func rest() {
        self = Gesture()
    }

    /// The way back from a pull beyond the resting offset leads to the top, not to the end.
    mutating func noteMovement(from old: Double, to new: Double, rest: Double) {
        if new != old { movesTowardsEnd = new > old && old >= rest }
    }

    /// A wheel or keys that go on through new content are a new intent there; a finger's is one
    /// gesture however long it stays.
    mutating func meetNewContent() {
        switch cause {
        case .wheel, .key, .accessibility: if phase == .coasting { hasFiredMore = false }
        case .finger, .code, .retry, .fill, .stale, .changed, .visual: break
        }
    }

    mutating func fire(_ role: EdgeRole) {
        switch role {
        case .refresh: hasFiredRefresh = true
        case .loadMore: hasFiredMore = true
        }
    }
}
