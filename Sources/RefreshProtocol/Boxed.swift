/// A value that lies elsewhere, so that its place takes one word. For what is large and seldom there.
package indirect enum Boxed<Value> {
    case value(Value)

    package var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}

extension Boxed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        self = .value(try Value(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
