/// The state of the second floor of a refresh edge. Source: docs/protocol.md, "The second floor".
package enum FloorState: String, CaseIterable, Sendable, Codable {
    /// Closed, and not being pulled open.
    case closed
    /// The list is pulled by a part of the distance to the second floor.
    case pulling
    /// Pulled far enough: the release opens it.
    case eligible
    case opening
    case open
    case closing
}
