package import RefreshProtocol

/// The motion of a finger or of the list in one frame of the client's display.
package struct HandSample: Hashable, Sendable {
    /// Milliseconds of the client's clock.
    package var t: Double
    package var position: Position
    package var phase: ScrollPhase
    package var cause: Cause
    /// The velocity of the finger when it is lifted, in points per second. Only a sample with the
    /// phase `ended` has a velocity.
    package var velocity: Double

    package init(
        t: Double, _ position: Position, phase: ScrollPhase, cause: Cause = .finger,
        velocity: Double = 0
    ) {
        self.t = t
        self.position = position
        self.phase = phase
        self.cause = cause
        self.velocity = velocity
    }

    package enum Position: Hashable, Sendable {
        /// The content offset in points, if the platform scrolls the list.
        case offset(Double)
        /// The distance in points that the finger has travelled since it came down, if the daemon
        /// scrolls the list.
        case travel(Double)
    }

    /// Whether the list is moved by a finger or by inertia.
    var isFinger: Bool { cause == .finger }
}
