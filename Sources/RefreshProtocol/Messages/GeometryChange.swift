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
