package import RefreshProtocol

/// The motion of a finger or of the list in one frame of the client's display.
package struct HandSample: Hashable, Sendable {
    /// Milliseconds of the client's clock.
    package var t: Double
    package var position: Position
    package var phase: ScrollPhase
    package var cause: Cause
    /// Points per second, with `ended`.
    package var velocity: Double

    package init(
        t: Double, _ way: Position, phase: ScrollPhase, cause: Cause = .finger, velocity: Double = 0
    ) {
        self.t = t
        self.position = way
        self.phase = phase
        self.cause = cause
        self.velocity = velocity
    }

    package enum Position: Hashable, Sendable {
        /// The platform scrolls: the physical content offset, points.
        case offset(Double)
        /// The daemon scrolls: the travel of the finger since it came down, points.
        case travel(Double)
    }

    /// Whether the list is moved by a finger or its inertia.
    var isFinger: Bool { cause == .finger }
}
