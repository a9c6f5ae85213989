/// Four distances from the sides of a rectangle, points.
package struct EdgeInsets: Hashable, Sendable, Codable {
    package var top: Double
    package var left: Double
    package var bottom: Double
    package var right: Double

    package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    package static let zero = EdgeInsets()
}
