/// A value that the wire calls by a name of at most 16 bytes.
package protocol WireNamed {
    var wireName: String { get }
}

extension WireNamed where Self: RawRepresentable, RawValue == String {
    package var wireName: String { rawValue }
}
