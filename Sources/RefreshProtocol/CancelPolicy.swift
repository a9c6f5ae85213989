/// What becomes of an armed edge whose gesture the system takes away. Source: docs/protocol.md,
/// "Policies".
package enum CancelPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// It is void.
    case disarm
    /// It fires, as by a release.
    case release
}
