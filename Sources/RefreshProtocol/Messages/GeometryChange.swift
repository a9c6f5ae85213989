/// The parts of a view's geometry that a message contains. Nil keeps the current value, also within
/// a member. Source: docs/protocol.md, "geometry".
package struct GeometryChange: Hashable, Sendable {
    package var viewport: SizeChange?
    package var content: SizeChange?
    package var insets: EdgeInsets?
    package var safeArea: EdgeInsets?
    package var bars: Bars?
    package var direction: LayoutDirection?
    /// Device pixels per point.
    package var scale: Double?
    /// The content offset after the change as the platform left it, points.
    package var offset: Double?
    /// A visible item and its new position.
    package var anchor: Anchor?

    package init() {}
}

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

/// A width and a height, points.
package struct Size: Hashable, Sendable, Codable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    package static let zero = Size(width: 0, height: 0)
}

/// A width and a height of a view, points; nil keeps the value.
package struct SizeChange: Hashable, Sendable {
    package var width: Double?
    package var height: Double?

    package init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}
