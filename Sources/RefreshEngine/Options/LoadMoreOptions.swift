package import RefreshProtocol

/// How the load-more edge of a view behaves. Source: docs/protocol.md, "Profiles and edge options".
package struct LoadMoreOptions: Hashable, Sendable {
    package var isEnabled: Bool
    package var trigger: TriggerStyle
    package var mode: LoadMoreMode
    /// The way over which the end approaches, and the indicator's room; points, above 0.
    package var length: Double
    /// Points by which the threshold lies nearer.
    package var preload: Double
    package var holdsInset: Bool
    /// Milliseconds.
    package var insetDuration: Double
    /// Pages in a row that a short content may ask for by itself.
    package var fillPagesMax: Int
}
