package import RefreshProtocol

/// A property that is encoded only if it differs from its usual value. Such a property takes no
/// space in most snapshots. In addition, the daemon can read snapshots of older daemons, which do
/// not contain the property.
@propertyWrapper
package struct OmittedIfUsual<Value: UsualValue>: Hashable, Sendable {
    package var wrappedValue: Value

    package init() { wrappedValue = .usual }
}

/// A type with a usual value. A property that was omitted has this value.
package protocol UsualValue: Hashable, Sendable, Codable {
    static var usual: Self { get }
}

extension Bool: UsualValue {
    package static var usual: Bool { false }
}

extension Double: UsualValue {
    package static var usual: Double { 0 }
}

extension Instant: UsualValue {
    package static var usual: Instant { .origin }
}

extension UInt32: UsualValue {
    package static var usual: UInt32 { 0 }
}

extension UInt16: UsualValue {
    package static var usual: UInt16 { 0 }
}

extension Int16: UsualValue {
    package static var usual: Int16 { 0 }
}

extension UInt8: UsualValue {
    package static var usual: UInt8 { 0 }
}

extension OmittedIfUsual: Codable {
    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// The synthesized code of a type with a property that is `OmittedIfUsual` calls these functions.

extension KeyedDecodingContainer {
    func decode<Value>(
        _ type: OmittedIfUsual<Value>.Type, forKey key: Key
    ) throws -> OmittedIfUsual<Value> {
        try decodeIfPresent(type, forKey: key) ?? OmittedIfUsual()
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ property: OmittedIfUsual<Value>, forKey key: Key) throws {
        guard property.wrappedValue != .usual else { return }
        try encode(property.wrappedValue, forKey: key)
    }
}
