/// The look of a spinner at one moment. Source: docs/protocol.md, "update".
package struct IndicatorFrame: Hashable, Sendable, Codable {
    /// The drawn part, 0...1.
    package var progress = 0.0
    /// Opacity, 0...1.
    package var alpha = 0.0
    package var scale = 1.0
    /// Radians.
    package var rotation = 0.0
    /// Radians per second while it turns automatically, otherwise 0.
    package var spin = 0.0

    package init() {}

    /// The frame that every client draws before it receives one.
    package static let hidden = IndicatorFrame()
}
