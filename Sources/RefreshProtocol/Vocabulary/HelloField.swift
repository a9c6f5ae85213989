/// The fields that exist only in `hello` and in its `resume` object. They are separate from `Field`
/// because its table is consulted for every message. Source: docs/protocol.md, "Coming back".
package enum HelloField: UInt8, CaseIterable, Sendable {
    case token, resume, snapshots, diagnostics
    // resume
    case session, ack, received, snapshot
}

extension HelloField {
    /// The fields of `hello` itself.
    static let ofHello: [HelloField] = [.token, .resume, .snapshots, .diagnostics]
    /// The fields of its `resume` object.
    static let ofResume: [HelloField] = [.session, .token, .ack, .received, .snapshot]
}

extension HelloField: WireNamed {
    /// The field's name on the wire is the name of the case.
    package var wireName: String { String(describing: self) }
}
