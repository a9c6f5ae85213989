/// One sample of the list's position. Source: docs/protocol.md, "scroll".
package struct ScrollSample: Hashable, Sendable {
    /// The content offset along the axis, points.
    package var offset: Double
    /// Points per second, positive towards the end of the content.
    package var velocity: Double
    package var phase: ScrollPhase
    package var cause: Cause

    package init(
        offset: Double, phase: ScrollPhase, velocity: Double = 0, cause: Cause = .finger
    ) {
        self.offset = offset
        self.phase = phase
        self.velocity = velocity
        self.cause = cause
    }
}
