/// The parts of a view's geometry that a message gives; nil keeps the value, also of a member.
/// Source: docs/protocol.md, "geometry".
package struct GeometryChange: Hashable, Sendable {
    package var viewport: SizeChange?
    package var content: SizeChange?
    package var insets: EdgeInsets?
    package var safeArea: EdgeInsets?
    package var bars: Bars?
    package var direction: LayoutDirection?
    /// Device pixels per point.
    package var scale: Double?
    /// The content offset after the change, as the platform left it; points.
    package var offset: Double?
    /// An item that is seen, and where it now lies.
    package var anchor: Anchor?

    package init() {}
}
