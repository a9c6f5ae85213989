/// When an edge beyond its threshold fires. Source: docs/protocol.md, "Profiles and edge options".
package enum TriggerStyle: String, CaseIterable, WireNamed, Sendable {
    /// When the finger lifts.
    case release
    /// When it gets there.
    case reach
}
