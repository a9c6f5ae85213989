/// Distances from the four sides of a rectangle, points; nil keeps the value.
package struct EdgeInsets: Hashable, Sendable {
    package var top: Double?
    package var left: Double?
    package var bottom: Double?
    package var right: Double?

    package init(
        top: Double? = nil, left: Double? = nil, bottom: Double? = nil, right: Double? = nil
    ) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}
