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
