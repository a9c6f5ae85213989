/// An order to set the daemon's own share of the insets; nil leaves an edge alone.
package struct InsetCommand: Hashable, Sendable {
    /// Points, the whole share.
    package var top: Double?
    package var bottom: Double?
    package var timeline: Timeline

    package init(top: Double? = nil, bottom: Double? = nil, timeline: Timeline) {
        self.top = top
        self.bottom = bottom
        self.timeline = timeline
    }
}
