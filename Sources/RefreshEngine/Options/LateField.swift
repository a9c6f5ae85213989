import RefreshProtocol

/// A value that saved states of earlier versions do not have.
///
/// Where it is missing it is read as its usual one, and only another one is written down: so states
/// go from an earlier version to a later one, and back.
protocol LateField: Hashable, Codable {
    /// The usual value.
    init()
}

extension KeyedDecodingContainer {
    func decode<Value: LateField>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decodeIfPresent(type, forKey: key) ?? Value()
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value: LateField>(_ value: Value, forKey key: Key) throws {
        try encodeIfPresent(value == Value() ? nil : value, forKey: key)
    }
}

/// How long an edge waits for the client to lay out a page.
struct LayoutWait: LateField, Sendable {
    var milliseconds = UInt32(clamping: Limits().layoutWaitMs)
}

/// Until when an edge waits for the client to lay out a page.
struct LayoutEnd: LateField, Sendable {
    /// The origin: it does not wait.
    var instant = Instant.origin
}
