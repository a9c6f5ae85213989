/// The fields that stand in `hello` alone, and in its `resume`. Apart from `Field`, whose table is
/// looked at for every message. Source: docs/protocol.md, "Coming back".
package enum HelloField: UInt8, CaseIterable, Sendable {
    case token, resume, snapshots, diagnostics
    // resume
    case session, ack, received, snapshot
}

extension HelloField {
    /// Those of `hello` itself.
    static let ofHello: [HelloField] = [.token, .resume, .snapshots, .diagnostics]
    /// Those of its `resume`.
    static let ofResume: [HelloField] = [.session, .token, .ack, .received, .snapshot]
}

extension HelloField: WireNamed {
    /// The name of the case is the name of the field.
    package var wireName: String { String(describing: self) }
}
