/// The names of all fields in the messages of a client, except those in option objects
/// (`OptionField`).
///
/// The message path represents each field by one bit, so there can be at most 64.
package enum Field: UInt8, CaseIterable, Sendable {
    case type, seq, view, generation, t
    // hello
    case `protocol`, client, frames, headers, views
    // attach, configure, enable
    case profile, feed, parameters, geometry, offset, axis, reversed, top, bottom, leading, trailing
    case paging, pan, attention, haptics, announcements, edge, enabled
    // geometry
    case viewport, content, insets, safeArea, bars, direction, scale, anchor
    case width, height, left, right, status, navigation, search, y, active, id, position
    // scroll, pan
    case phase, velocity, cause, predicted, from, translation, animated
    // floor
    case open
    // loads
    case load, accepted, progress, result, count, more, cursor, code, message
}

extension Field: WireNamed {
    /// The field's name on the wire is the name of the case.
    package var wireName: String { String(describing: self) }
}

/// The fields that exist only in `hello` and in its `resume` object. They are separate from
/// `Field`, because the daemon searches the table of `Field` for every message. Source:
/// docs/protocol.md, "Coming back".
package enum HelloField: UInt8, CaseIterable, Sendable {
    case token, features, resume, snapshots, diagnostics
    // resume
    case session, ack, received, snapshot
}

extension HelloField {
    /// The fields of `hello` itself.
    static let ofHello: [HelloField] = [
        .token, .features, .resume, .snapshots, .diagnostics,
    ]
    /// The fields of the `resume` object.
    static let ofResume: [HelloField] = [.session, .token, .ack, .received, .snapshot]
}

extension HelloField: WireNamed {
    /// The field's name on the wire is the name of the case.
    package var wireName: String { String(describing: self) }
}
