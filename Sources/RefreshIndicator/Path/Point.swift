/// A point of a drawing. Its coordinates are in points. x grows to the right, and y grows
/// downwards.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static let zero = Point(x: 0, y: 0)

    static func + (left: Point, right: Point) -> Point {
        Point(x: left.x + right.x, y: left.y + right.y)
    }

    static func - (left: Point, right: Point) -> Point {
        Point(x: left.x - right.x, y: left.y - right.y)
    }

    static func * (left: Point, factor: Double) -> Point {
        Point(x: left.x * factor, y: left.y * factor)
    }

    /// The distance from the origin. No intermediate square overflows or underflows.
    var magnitude: Double {
        let (long, short) = (max(x.magnitude, y.magnitude), min(x.magnitude, y.magnitude))
        guard short > 0 else { return long }
        let ratio = short / long
        return long * (1 + ratio * ratio).squareRoot()
    }

    /// The point at `part` of the way from this point (0) to `other` (1). The result is exact at 0
    /// and 1.
    func interpolated(with other: Point, _ part: Double) -> Point {
        self * (1 - part) + other * part
    }

    /// This point, reflected about `center`.
    func reflected(about center: Point) -> Point {
        center + (center - self)
    }
}
