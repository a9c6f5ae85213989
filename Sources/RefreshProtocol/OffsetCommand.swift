/// An order to move the content offset along the axis.
package struct OffsetCommand: Hashable, Sendable, Codable {
    /// The target offset, points.
    package var target: Double
    package var timeline: Timeline

    package init(target: Double, timeline: Timeline) {
        self.target = target
        self.timeline = timeline
    }
}
