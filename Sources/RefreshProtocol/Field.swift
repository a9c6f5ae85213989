/// Every field name of the client vocabulary: what the decoder knows.
package enum Field: UInt8, CaseIterable, Sendable {
    case type, seq, view, generation, t
    // hello
    case `protocol`, client, frames, views
    // attach, configure, enable
    case profile, feed, parameters, geometry, offset, top, bottom, paging, edge, enabled
    // options
    case trigger, mode, length, preload, hold, insetDuration, fill
    // paging
    case style, first, size
    // geometry
    case viewport, content, insets, safeArea, bars, scale
    case width, height, left, right, status, navigation, search, y, active
    // scroll, pan
    case phase, velocity, cause, translation, animated
    // loads
    case load, accepted, progress, result, count, more, cursor, code, message
}

extension Field: WireNamed {
    /// The name of the case is the name of the field.
    package var wireName: String { String(describing: self) }
}
