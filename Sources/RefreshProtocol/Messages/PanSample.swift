/// One report of how far the finger has travelled. Source: docs/protocol.md, "pan".
package struct PanSample: Hashable, Sendable {
    /// Points since the gesture began, positive when the content is pulled down.
    package var translation: Double
    package var phase: ScrollPhase
    /// Points per second, positive towards the end of the content.
    package var velocity: Double
    package var cause: Cause

    package init(
        translation: Double, phase: ScrollPhase, velocity: Double = 0, cause: Cause = .finger
    ) {
        self.translation = translation
        self.phase = phase
        self.velocity = velocity
        self.cause = cause
    }
}
