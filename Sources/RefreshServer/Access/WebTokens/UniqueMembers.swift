internal import RefreshProtocol

/// Checks that no object of a JSON text, at any depth, has two members of the same name, even if
/// the names are escaped differently. If two members had the same name, one parser would use the
/// first and another parser the last. Source: RFC 7519, 4; RFC 8259, 4.
enum UniqueMembers {
    /// Returns whether the bytes are one JSON text in which every object has each name once.
    static func isSatisfied(by json: [UInt8]) -> Bool {
        (try? JSONValue(parsing: json)) != nil
    }
}
