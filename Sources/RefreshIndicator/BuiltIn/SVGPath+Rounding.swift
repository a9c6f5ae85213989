extension SVGPath {
    /// The same drawing, rounded to a ten-thousandth of a point. The rounding is finer than any
    /// screen shows, and makes the text short on the wire.
    var rounded: SVGPath { SVGPath(segments: segments.map(\.rounded)) }
}

extension PathSegment {
    fileprivate var rounded: PathSegment {
        switch self {
        case .move(let point): .move(point.rounded)
        case .line(let from, let to): .line(from.rounded, to.rounded)
        case .quadratic(let from, let control, let to):
            .quadratic(from.rounded, control.rounded, to.rounded)
        case .cubic(let from, let first, let second, let to):
            .cubic(from.rounded, first.rounded, second.rounded, to.rounded)
        case .arc(let arc): Self.rounded(arc)
        case .close(let from, let to): .close(from: from.rounded, to: to.rounded)
        }
    }

    /// If the radius of an arc is rounded to 0, the arc is a line, as in the grammar of SVG.
    private static func rounded(_ arc: EllipticalArc) -> PathSegment {
        let start = arc.start.rounded
        let end = arc.end.rounded
        // The actual radii of the ellipse, which can be larger than the given radii.
        let radius = Point(x: arc.radiusX * arc.growth, y: arc.radiusY * arc.growth).rounded
        guard start != end, radius.x > 0, radius.y > 0,
            let rounded = EllipticalArc(
                from: start, to: end, radiusX: radius.x, radiusY: radius.y,
                rotation: arc.rotation, isLarge: arc.isLarge, isClockwise: arc.isClockwise)
        else { return .line(start, end) }
        return .arc(rounded)
    }
}

extension Point {
    fileprivate var rounded: Point {
        Point(x: Self.rounded(x), y: Self.rounded(y))
    }

    private static func rounded(_ value: Double) -> Double {
        let rounded = (value * 10_000).rounded() / 10_000
        // The text of a path must not contain a negative zero.
        return rounded == 0 ? 0 : rounded
    }
}
