/// How an edge's indicator looks, and how its client was told that it does.
package struct IndicatorChange: Hashable, Sendable {
    package var known: IndicatorFrame
    package var shown: IndicatorFrame

    @inline(__always)
    package init(known: IndicatorFrame, shown: IndicatorFrame) {
        self.known = known
        self.shown = shown
    }
}
