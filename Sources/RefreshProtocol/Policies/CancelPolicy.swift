/// The policy for an armed edge when the system cancels its gesture. Source: docs/protocol.md,
/// "Policies".
package enum CancelPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edge is disarmed.
    case disarm
    /// The edge fires, as on a release.
    case release
}
