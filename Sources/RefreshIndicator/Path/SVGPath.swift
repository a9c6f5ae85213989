/// A drawing given as SVG path data: what a pen does, step by step, with true arcs and closing
/// edges.
///
/// A value. What needs lengths measures the whole path each time that it is asked; whoever asks
/// more than once keeps a `MeasuredPath`.
package struct SVGPath: Hashable, Sendable {
    /// In drawing order. The first is a move, unless there is none.
    package let segments: [PathSegment]

    /// `segments` continue one another, begin with a move, and close where their sub-path began.
    init(segments: [PathSegment]) {
        self.segments = segments
    }

    /// The drawing of a `d` attribute, by the grammar of SVG 1.1 and 2. Empty text is an empty
    /// drawing.
    ///
    /// A first `m` is an `M`; an arc without an extent is a line, one whose ends are equal is left
    /// out.
    package init(parsing text: String) throws(SVGPathError) {
        segments = try SVGPathParser.segments(of: text)
    }

    /// What the drawn lines cover, by their true extents and without their width; nil if nothing is
    /// drawn.
    package var bounds: Box? {
        var box: Box?
        for segment in segments where segment.isDrawn {
            let own = segment.bounds
            if box == nil { box = own } else { box?.cover(own) }
        }
        return box
    }

    /// Points, over all sub-paths; moves are free. Off by less than 1e-9 of it.
    package var length: Double { MeasuredPath(self).length }

    /// Where the pen is when `fraction` (0...1; what is beyond counts as these) of the length is
    /// drawn; nil if nothing is.
    package func point(at fraction: Double) -> Point? { MeasuredPath(self).point(at: fraction) }

    /// What is drawn between two fractions of the length. Empty if `from` is not before `to`.
    package func path(from: Double, to: Double) -> SVGPath {
        MeasuredPath(self).path(from: from, to: to)
    }

    /// What part of the length is drawn when the first node, the first two, ... are.
    ///
    /// MRefresh draws by nodes: moves and closing edges count as one each, every other segment as
    /// `2^smoothing`, its pieces. With less than two nodes it draws nothing: see
    /// `PathPart.nodes(of:at:)`.
    package func nodeFractions(smoothing: Int) -> [Double] {
        MeasuredPath(self).nodeFractions(smoothing: smoothing)
    }
}
