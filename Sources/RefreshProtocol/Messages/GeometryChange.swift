/// The parts of a view's geometry that a message gives; nil keeps the value.
/// Source: docs/protocol.md, "geometry".
package struct GeometryChange: Hashable, Sendable {
    package var viewport: Size?
    package var content: Size?
    package var insets: EdgeInsets?
    package var safeArea: EdgeInsets?
    package var bars: Bars?
    /// Device pixels per point.
    package var scale: Double?

    package init() {}
}
