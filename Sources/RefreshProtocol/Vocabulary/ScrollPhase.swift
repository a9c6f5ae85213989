/// The phase of a gesture that a scroll or pan sample belongs to. Source: docs/protocol.md,
/// "scroll".
package enum ScrollPhase: String, CaseIterable, WireNamed, Sendable {
    case began
    case dragging
    case ended
    case cancelled
    case decelerating
    case idle
}
