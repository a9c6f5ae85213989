/// One step of a pen: all coordinates are absolute, and each step knows where it starts.
package enum PathSegment: Hashable, Sendable {
    /// The pen is put down here; nothing is drawn.
    case move(Point)
    /// From, to.
    case line(Point, Point)
    /// From, control point, to.
    case quadratic(Point, Point, Point)
    /// From, first and second control point, to.
    case cubic(Point, Point, Point, Point)
    case arc(EllipticalArc)
    /// The closing edge, which is drawn, back to where the sub-path began.
    case close(from: Point, to: Point)

    /// Where the pen is before; a move has no way, and starts where it ends.
    package var start: Point {
        switch self {
        case .move(let point): point
        case .line(let from, _), .quadratic(let from, _, _), .cubic(let from, _, _, _),
            .close(let from, _):
            from
        case .arc(let arc): arc.start
        }
    }

    /// Where the pen is afterwards.
    package var end: Point {
        switch self {
        case .move(let point): point
        case .line(_, let to), .quadratic(_, _, let to), .cubic(_, _, _, let to), .close(_, let to):
            to
        case .arc(let arc): arc.end
        }
    }

    /// Whether it leaves a line, be it of no length.
    package var isDrawn: Bool {
        if case .move = self { false } else { true }
    }
}
