/// When an edge beyond its threshold fires. Source: docs/protocol.md, "Profiles and edge options".
package enum TriggerStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    /// When the finger lifts.
    case release
    /// When it gets there.
    case reach
    /// Never by itself: the platform's control decides, and the client says so by `refresh`.
    case platform
}
