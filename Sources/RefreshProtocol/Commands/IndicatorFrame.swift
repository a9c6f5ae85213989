/// The look of a spinner at one moment. Source: docs/protocol.md, "update".
public struct IndicatorFrame: Hashable, Sendable, Codable {
    /// The fraction of the spinner that is drawn, 0...1.
    public var progress = 0.0
    /// Opacity, 0...1.
    public var alpha = 0.0
    /// The factor by which the spinner is enlarged.
    public var scale = 1.0
    /// The rotation in radians.
    public var rotation = 0.0
    /// The speed in radians per second while the spinner turns automatically. If it does not turn,
    /// it is 0.
    public var spin = 0.0

    /// Creates a hidden spinner.
    public init() {}

    /// The frame that every client draws before it receives a frame.
    public static let hidden = IndicatorFrame()
}

/// The current look of an edge's indicator, and the look that was last sent to its client.
package struct IndicatorChange: Hashable, Sendable {
    package var known: IndicatorFrame
    package var shown: IndicatorFrame

    @inline(__always)
    package init(known: IndicatorFrame, shown: IndicatorFrame) {
        self.known = known
        self.shown = shown
    }
}
