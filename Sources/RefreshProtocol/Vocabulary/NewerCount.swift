/// The number of items that a feed has and a list does not show. Source: docs/protocol.md, "Unread
/// items".
package struct NewerCount: Hashable, Sendable {
    /// Nil: the number is not known, because a report about a change of the feed did not state it.
    package private(set) var value: UInt32?

    /// The numbers that a change can state, and that a client can receive.
    package static let range = 0...1_000_000

    package static let none = NewerCount(0)
    package static let unknown = NewerCount(nil)

    /// A number outside `range` counts as the nearest number in `range`.
    package init(_ value: Int?) {
        self.value = value.map { UInt32(min(max($0, 0), Self.range.upperBound)) }
    }

    /// Adds the items of a later change. The sum is at most the upper bound of `range`.
    package mutating func add(_ more: NewerCount) {
        guard let value, let added = more.value else { return self.value = nil }
        self = NewerCount(Int(value) + Int(added))
    }
}

/// The coded form is the number; -1 if it is not known.
extension NewerCount: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Int.self)
        self.init(number < 0 ? nil : number)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.map(Int.init) ?? -1)
    }
}
