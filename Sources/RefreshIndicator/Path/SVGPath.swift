/// A drawing in the form of SVG path data: the steps of a pen, with exact arcs and closing edges.
///
/// Operations that need lengths measure the whole path on each call. Callers with more than one
/// query use a `MeasuredPath`.
package struct SVGPath: Hashable, Sendable {
    /// The segments in drawing order. If there are segments, the first one is a move.
    package let segments: [PathSegment]

    /// `segments` must be contiguous and begin with a move. A closing edge must end where its
    /// sub-path began.
    init(segments: [PathSegment]) {
        self.segments = segments
    }

    /// Parses a `d` attribute by the grammar of SVG 1.1 and 2. Empty text is an empty drawing.
    ///
    /// A path that begins with `m` is read as if it began with `M`. An arc with a radius of 0 is a
    /// line, and an arc with equal ends is omitted.
    package init(parsing text: String) throws(SVGPathError) {
        segments = try SVGPathParser.segments(of: text)
    }

    /// The exact extent of the drawn lines without their width; nil if nothing is drawn.
    package var bounds: Box? {
        var box: Box?
        for segment in segments where segment.isDrawn {
            let own = segment.bounds
            if box == nil { box = own } else { box?.formUnion(own) }
        }
        return box
    }

    /// The sum of the lengths of all drawn segments, in points. Moves do not count. The relative
    /// error is less than 1e-9.
    package var length: Double { MeasuredPath(self).length }

    /// The position of the pen after `fraction` of the length was drawn. Nil if nothing is drawn. A
    /// fraction outside 0...1 is clamped.
    package func point(at fraction: Double) -> Point? { MeasuredPath(self).point(at: fraction) }

    /// The part between two fractions of the length. It is empty if `from` is not before `to`.
    package func path(from: Double, to: Double) -> SVGPath {
        MeasuredPath(self).path(from: from, to: to)
    }

    /// The fractions of the length that are drawn with the first node, with the first two nodes,
    /// and so on.
    ///
    /// A *node* is the end of a piece of the path. The library MRefresh draws the path from node to
    /// node. A move or a closing edge is one piece. Every other segment is divided into
    /// `2^smoothing` pieces. With fewer than two nodes, MRefresh draws nothing (see
    /// `PathPart.nodes(of:at:)`).
    package func nodeFractions(smoothing: Int) -> [Double] {
        MeasuredPath(self).nodeFractions(smoothing: smoothing)
    }
}
