/// What a spinner looks like at one moment. Source: docs/protocol.md, "update".
package struct IndicatorFrame: Hashable, Sendable, Codable {
    /// How much of it is drawn, 0...1.
    package var progress = 0.0
    /// Opacity, 0...1.
    package var alpha = 0.0
    package var scale = 1.0
    /// Radians.
    package var rotation = 0.0
    /// Radians per second while it turns by itself, else 0.
    package var spin = 0.0

    package init() {}

    /// What every client draws before it is told anything.
    package static let hidden = IndicatorFrame()
}
