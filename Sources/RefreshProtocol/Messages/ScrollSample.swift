/// One sample of the list's position. Source: docs/protocol.md, "scroll".
package struct ScrollSample: Hashable, Sendable {
    /// The content offset along the axis, in points.
    package var offset: Double
    /// The velocity in points per second, positive towards the end of the content.
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

/// The phase of a gesture at the time of a scroll or pan sample. Source: docs/protocol.md,
/// "scroll".
public enum ScrollPhase: String, CaseIterable, WireNamed, Sendable {
    case began
    case dragging
    case ended
    case cancelled
    case decelerating
    case idle
}

/// One sample of the finger's travel. Source: docs/protocol.md, "pan".
package struct PanSample: Hashable, Sendable {
    /// The travel in points since the gesture began; positive if the content is pulled down.
    package var translation: Double
    /// The velocity in points per second, positive towards the end of the content.
    package var velocity: Double
    /// The physical content offset at which the client shows the list. It is in the first sample of
    /// a gesture. If it is nil, the list is at the offset of the last command.
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
