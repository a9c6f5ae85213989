/// One step of a pen. All coordinates are absolute, and each step contains its start.
package enum PathSegment: Hashable, Sendable {
    /// The pen moves to this point, and draws nothing.
    case move(Point)
    /// A line: its start and its end.
    case line(Point, Point)
    /// A quadratic curve: its start, its control point and its end.
    case quadratic(Point, Point, Point)
    /// A cubic curve: its start, its two control points and its end.
    case cubic(Point, Point, Point, Point)
    case arc(EllipticalArc)
    /// The closing edge, which is drawn back to the beginning of the sub-path.
    case close(from: Point, to: Point)

    /// The position of the pen before the step. A move has no length, so it starts where it ends.
    package var start: Point {
        switch self {
        case .move(let point): point
        case .line(let from, _), .quadratic(let from, _, _), .cubic(let from, _, _, _),
            .close(let from, _):
            from
        case .arc(let arc): arc.start
        }
    }

    /// The position of the pen after the step.
    package var end: Point {
        switch self {
        case .move(let point): point
        case .line(_, let to), .quadratic(_, _, let to), .cubic(_, _, _, let to), .close(_, let to):
            to
        case .arc(let arc): arc.end
        }
    }

    /// Whether the step draws a line, even if the line has no length.
    package var isDrawn: Bool {
        if case .move = self { false } else { true }
    }
}
