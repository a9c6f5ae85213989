import Glibc
import RefreshIndicator

// Properties of paths, computed without RefreshIndicator, the library that is tested.

extension Point {
    func distance(to other: Point) -> Double { hypot(other.x - x, other.y - y) }
}

extension Box {
    var isFinite: Bool { minX.isFinite && minY.isFinite && maxX.isFinite && maxY.isFinite }

    func holds(_ point: Point, within error: Double = 0) -> Bool {
        point.x >= minX - error && point.x <= maxX + error && point.y >= minY - error
            && point.y <= maxY + error
    }

    func holds(_ box: Box, within error: Double) -> Bool {
        holds(Point(x: box.minX, y: box.minY), within: error)
            && holds(Point(x: box.maxX, y: box.maxY), within: error)
    }
}

extension PathSegment {
    /// The largest absolute coordinate of the segment's points, control points included. The radii
    /// of arcs count as coordinates.
    var reach: Double {
        switch self {
        case .move(let point): point.reach
        case .line(let from, let to), .close(let from, let to): max(from.reach, to.reach)
        case .quadratic(let from, let control, let to): max(from.reach, control.reach, to.reach)
        case .cubic(let from, let first, let second, let to):
            max(from.reach, first.reach, second.reach, to.reach)
        case .arc(let arc): max(arc.start.reach, arc.end.reach, arc.reach)
        }
    }
}

extension EllipticalArc {
    /// The longer radius of an ellipse that was enlarged to fit its chord (SVG 1.1, F.6.6).
    fileprivate var reach: Double {
        let angle = rotation * .pi / 180
        let (x, y) = (end.x - start.x, end.y - start.y)
        let unit = Point(
            x: (cos(angle) * x + sin(angle) * y) / radiusX,
            y: (cos(angle) * y - sin(angle) * x) / radiusY)
        return max(radiusX, radiusY) * max(unit.distance(to: Point(x: 0, y: 0)) / 2, 1)
    }
}

extension Point {
    fileprivate var reach: Double { max(x.magnitude, y.magnitude) }
}
