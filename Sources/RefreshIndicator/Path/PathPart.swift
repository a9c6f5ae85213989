/// A path that is drawn together with other paths, and begins at a certain progress. MRefresh calls
/// this progress the start time.
package struct PathPart: Hashable, Sendable {
    package let path: SVGPath
    /// The overall progress (0...1) at which this part begins to be drawn.
    package let start: Double

    package init(_ path: SVGPath, start: Double = 0) {
        self.path = path
        self.start = start
    }

    /// The fraction (0...1) of this part that is drawn at the overall `progress`. At 1, every part
    /// is complete (SVG-16 of the SVGVerdictTests).
    package func progress(at progress: Double) -> Double {
        if progress >= 1 { return 1 }
        return progress > start ? (progress - start) / (1 - start) : 0
    }

    /// The number of nodes, out of `count`, that are drawn at `progress` of a part, by MRefresh's
    /// formula. If the formula gives fewer than two nodes, nothing is drawn (SVG-18 of the
    /// SVGVerdictTests).
    package static func nodes(of count: Int, at progress: Double) -> Int {
        // If the progress is NaN, nothing is drawn.
        let nodes = progress > 0 ? Int(Double(count) * min(progress, 1)) : 0
        return nodes < 2 ? 0 : nodes
    }
}
