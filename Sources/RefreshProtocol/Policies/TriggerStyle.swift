/// When an edge beyond its threshold fires. Source: docs/protocol.md, "Profiles and edge options".
package enum TriggerStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    /// When the finger lifts.
    case release
    /// When the pull reaches the threshold.
    case reach
    /// Never automatically: the platform's control decides, and the client reports it with
    /// `refresh`.
    case platform
}
