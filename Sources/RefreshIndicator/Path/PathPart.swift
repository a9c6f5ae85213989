/// A path that is drawn together with others, from a moment of the whole on: MRefresh's start
/// times.
package struct PathPart: Hashable, Sendable {
    package let path: SVGPath
    /// The progress of the whole (0...1) from which on this part is drawn.
    package let start: Double

    package init(_ path: SVGPath, start: Double = 0) {
        self.path = path
        self.start = start
    }

    /// How much of this part (0...1) is drawn at `progress` of the whole; with the whole, all of
    /// every part (SVG-16).
    package func progress(at progress: Double) -> Double {
        if progress >= 1 { return 1 }
        return progress > start ? (progress - start) / (1 - start) : 0
    }

    /// How many of `count` nodes are drawn at `progress` of a part: MRefresh's formula. Less than
    /// two draw nothing (SVG-18).
    package static func nodes(of count: Int, at progress: Double) -> Int {
        // What is not a number draws nothing.
        let nodes = progress > 0 ? Int(Double(count) * min(progress, 1)) : 0
        return nodes < 2 ? 0 : nodes
    }
}
