/// A value with its own allocation. An optional box takes 8 bytes in its owner. So a value that few
/// owners have costs the other owners only these 8 bytes. A copy of the box behaves as a copy of
/// the value.
package indirect enum Boxed<Value> {
    case value(Value)

    package init(_ value: Value) { self = .value(value) }

    package var value: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}

/// A box is encoded as its value is.
extension Boxed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
