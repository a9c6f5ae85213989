/// A cue for the hand. Source: docs/protocol.md, "update".
package enum Haptic: String, CaseIterable, Sendable, Codable {
    /// A threshold was crossed.
    case selection
    /// It fired.
    case impact
}
