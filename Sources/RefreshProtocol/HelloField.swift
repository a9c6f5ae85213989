/// The fields that stand in `hello` alone, and in its `resume`. Apart from `Field`, whose table is
/// looked at for every message. Source: docs/protocol.md, "Coming back".
package enum HelloField: UInt8, CaseIterable, Sendable {
    case token, resume, snapshots
    // resume
    case session, ack, received, snapshot
}

extension HelloField: WireNamed {
    /// The name of the case is the name of the field.
    package var wireName: String { String(describing: self) }
}
