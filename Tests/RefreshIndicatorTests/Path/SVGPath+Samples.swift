import Testing

@testable import RefreshIndicator

extension SVGPath {
    /// The error of an invalid text; nil if the text is a path.
    static func error(of text: String) -> SVGPathError? {
        do {
            _ = try SVGPath(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    /// The drawn segments.
    var drawn: [PathSegment] { segments.filter(\.isDrawn) }
}

extension Point {
    static func at(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }

    func isNear(_ other: Point, within tolerance: Double = 1e-9) -> Bool {
        (x - other.x).magnitude <= tolerance && (y - other.y).magnitude <= tolerance
    }
}

extension Box {
    func isNear(_ other: Box, within tolerance: Double = 1e-9) -> Bool {
        Point(x: minX, y: minY).isNear(Point(x: other.minX, y: other.minY), within: tolerance)
            && Point(x: maxX, y: maxY).isNear(
                Point(x: other.maxX, y: other.maxY), within: tolerance)
    }

    /// Whether the box contains `point`, except for rounding errors.
    func covers(_ point: Point, within tolerance: Double) -> Bool {
        point.x >= minX - tolerance && point.x <= maxX + tolerance && point.y >= minY - tolerance
            && point.y <= maxY + tolerance
    }
}

extension Double {
    func isNear(_ other: Double, within tolerance: Double = 1e-9) -> Bool {
        (self - other).magnitude <= tolerance
    }
}
