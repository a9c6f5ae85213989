/// The direction in which a view scrolls. Source: docs/protocol.md, "Axes and edges".
package enum Axis: String, CaseIterable, WireNamed, Sendable, Codable {
    case vertical
    case horizontal
}
