/// One report of how far the finger has travelled. Source: docs/protocol.md, "pan".
package struct PanSample: Hashable, Sendable {
    /// Points since the gesture began, positive when the content is pulled down.
    package var translation: Double
    /// Points per second, positive towards the end of the content.
    package var velocity: Double
    /// With the first sample: where the client shows the list, the physical content offset; nil:
    /// wherever it was told to go.
    package var offset: Double?
    package var phase: ScrollPhase
    package var cause: Cause

    package init(
        translation: Double, phase: ScrollPhase, velocity: Double = 0, cause: Cause = .finger,
        offset: Double? = nil
    ) {
        self.translation = translation
        self.phase = phase
        self.velocity = velocity
        self.cause = cause
        self.offset = offset
    }
}
