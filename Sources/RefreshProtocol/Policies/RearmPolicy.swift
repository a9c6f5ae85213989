/// When a load-more edge that has requested a load may request again. Source: docs/protocol.md,
/// "Policies".
package enum RearmPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// After new content, after the list has left the zone, or on request.
    case content
    /// With the next gesture, or in the same gesture after new content that moved the threshold
    /// away.
    case gesture
}
