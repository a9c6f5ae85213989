/// What happens to a load that is asked for while the other edge's load runs.
/// Source: docs/protocol.md, "Policies".
package enum ConflictPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The running load is cancelled.
    case cancel
    /// The new one waits until the running one has ended.
    case queue
    /// The new one is not begun.
    case reject
    /// Both run.
    case concurrent
}
