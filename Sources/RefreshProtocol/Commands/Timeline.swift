/// The start, duration and easing of a command. Source: docs/protocol.md, "Commands and timelines".
package struct Timeline: Hashable, Sendable, Codable {
    package var start: Instant
    /// Milliseconds; 0 moves immediately.
    package var duration: Double
    package var curve: Curve

    package init(start: Instant, duration: Double, curve: Curve) {
        self.start = start
        self.duration = duration
        self.curve = curve
    }
}
