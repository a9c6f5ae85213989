package import RefreshProtocol

/// How the refresh edge of a view behaves. Source: docs/protocol.md, "Profiles and edge options".
package struct RefreshOptions: Hashable, Sendable {
    package var isEnabled: Bool
    package var trigger: TriggerStyle
    /// The way to the threshold, and the indicator's room; points, above 0.
    package var length: Double
    /// Points by which the threshold lies nearer.
    package var preload: Double
    /// Whether the daemon holds the room open with an inset.
    package var holdsInset: Bool
    /// Milliseconds.
    package var insetDuration: Double
    /// Milliseconds that an animated offset command takes.
    package var offsetDuration: Double
}
