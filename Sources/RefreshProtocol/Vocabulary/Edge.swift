/// A logical edge of a view as named on the wire: `top` and `bottom` of a vertical view, `leading`
/// and `trailing` of a horizontal view. `leading` and `trailing` change sides with the layout
/// direction. Source: docs/protocol.md, "Axes and edges".
package enum Edge: String, CaseIterable, WireNamed, Sendable, Codable {
    case top
    case bottom
    case leading
    case trailing
}
