/// A haptic cue. Source: docs/protocol.md, "update".
package enum Haptic: String, CaseIterable, Sendable, Codable {
    /// A threshold was crossed.
    case selection
    /// The edge fired.
    case impact
}
