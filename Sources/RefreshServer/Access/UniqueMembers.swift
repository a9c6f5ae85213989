internal import RefreshProtocol

/// JSON that somebody else may read too: a member that stands twice in an object, at whatever depth
/// and in whatever spelling, has one reader take the first and another the last. Source: RFC 7519,
/// 4; RFC 8259, 4.
enum UniqueMembers {
    /// Whether the bytes are one JSON text all of whose objects have each name once.
    static func hold(in json: [UInt8]) -> Bool {
        (try? JSONValue(parsing: json)) != nil
    }
}
