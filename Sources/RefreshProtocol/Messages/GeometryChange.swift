/// The parts of a view's geometry that a message contains. A part that is nil keeps its current
/// value. A nil value within a part also keeps its current value. Source: docs/protocol.md,
/// "geometry".
package struct GeometryChange: Hashable, Sendable {
    package var viewport: SizeChange?
    package var content: SizeChange?
    package var insets: EdgeInsets?
    package var safeArea: EdgeInsets?
    package var bars: Bars?
    package var direction: LayoutDirection?
    /// Device pixels per point.
    package var scale: Double?
    /// The content offset to which the platform set the list with the change, in points.
    package var offset: Double?
    /// A visible item, and its position after the change.
    package var anchor: Anchor?

    package init() {}
}

/// Distances from the four sides of a rectangle, in points. A side that is nil keeps its current
/// value.
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

/// A width and a height, in points.
package struct Size: Hashable, Sendable, Codable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    package static let zero = Size(width: 0, height: 0)
}

/// A new width and a new height of a viewport or of its content, in points. A side that is nil
/// keeps its current length.
package struct SizeChange: Hashable, Sendable {
    package var width: Double?
    package var height: Double?

    package init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}
