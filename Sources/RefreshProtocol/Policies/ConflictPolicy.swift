/// The policy for a load that is requested while the load of the other edge runs. Source:
/// docs/protocol.md, "Policies".
package enum ConflictPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The running load is cancelled.
    case cancel
    /// The new load waits until the running load has ended.
    case queue
    /// The new load does not begin.
    case reject
    /// Both loads run.
    case concurrent
}
