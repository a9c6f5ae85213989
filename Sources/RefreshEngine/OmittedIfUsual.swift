package import RefreshProtocol

/// A property that is written down only where it is not what it usually is: so it takes no room in
/// most snapshots, and those of daemons that did not have it yet can be read.
@propertyWrapper
package struct OmittedIfUsual<Value: UsualValue>: Hashable, Sendable {
    package var wrappedValue: Value

    package init() { wrappedValue = .usual }
}

/// A kind of property that has a usual value: what one that was not written down has.
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

extension UInt8: UsualValue {
    package static var usual: UInt8 { 0 }
}

extension OmittedIfUsual: Codable {
    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// What the compiler writes for a type that has such a property calls these.

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
