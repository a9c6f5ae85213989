/// The look of a spinner at one moment. Source: docs/protocol.md, "update".
package struct IndicatorFrame: Hashable, Sendable, Codable {
    /// The fraction of the spinner that is drawn, 0...1.
    package var progress = 0.0
    /// Opacity, 0...1.
    package var alpha = 0.0
    package var scale = 1.0
    /// The rotation in radians.
    package var rotation = 0.0
    /// The speed in radians per second while the spinner turns automatically. If it does not turn,
    /// it is 0.
    package var spin = 0.0

    package init() {}

    /// The frame that every client draws before it receives a frame.
    package static let hidden = IndicatorFrame()
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
