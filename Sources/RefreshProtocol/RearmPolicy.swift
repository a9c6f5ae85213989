/// When a load-more edge that has asked may ask again. Source: docs/protocol.md, "Policies".
package enum RearmPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// After new content, after the list has left the zone, or by request.
    case content
    /// With the next gesture; in the same one after new content that moved the threshold away.
    case gesture
}
