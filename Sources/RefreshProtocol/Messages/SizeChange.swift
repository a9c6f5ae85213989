/// A width and a height of a view, points; nil keeps the value.
package struct SizeChange: Hashable, Sendable {
    package var width: Double?
    package var height: Double?

    package init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}
