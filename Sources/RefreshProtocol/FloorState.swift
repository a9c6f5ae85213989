/// What the second floor of a refresh edge is doing. Source: docs/protocol.md, "The second floor".
package enum FloorState: String, CaseIterable, Sendable, Codable {
    /// Nobody is on the way to it.
    case closed
    /// The list is pulled by so much of the way to it.
    case pulling
    /// Far enough; the release opens it.
    case eligible
    case opening
    case open
    case closing
}
