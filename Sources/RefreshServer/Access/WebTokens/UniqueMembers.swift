internal import RefreshProtocol

/// Checks that no object of a JSON text has two members of one name, at any depth and in any
/// spelling. With duplicates, one reader would use the first and another the last. Source: RFC
/// 7519, 4; RFC 8259, 4.
enum UniqueMembers {
    /// Returns whether the bytes are one JSON text in which every object has each name once.
    static func isSatisfied(by json: [UInt8]) -> Bool {
        (try? JSONValue(parsing: json)) != nil
    }
}
