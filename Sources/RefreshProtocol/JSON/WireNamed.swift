/// A value with a name of at most 16 bytes on the wire.
package protocol WireNamed {
    var wireName: String { get }
}

extension WireNamed where Self: RawRepresentable, RawValue == String {
    package var wireName: String { rawValue }
}
