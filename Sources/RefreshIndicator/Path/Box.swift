/// An axis-aligned rectangle, in points. It is the extent of a drawing, or the frame into which a
/// drawing is fitted.
package struct Box: Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    /// The largest x, at least `minX`.
    package var maxX: Double
    /// The largest y, at least `minY`.
    package var maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The box of one point.
    init(_ point: Point) {
        self.init(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    }

    package var width: Double { maxX - minX }
    package var height: Double { maxY - minY }
    package var center: Point { Point(x: minX + width / 2, y: minY + height / 2) }

    mutating func formUnion(_ point: Point) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    mutating func formUnion(_ other: Box) {
        formUnion(Point(x: other.minX, y: other.minY))
        formUnion(Point(x: other.maxX, y: other.maxY))
    }
}
