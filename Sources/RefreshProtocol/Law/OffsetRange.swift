/// Offsets or places from one to another, both included; nil: without a bound.
package struct OffsetRange: Hashable, Sendable, Codable {
    package var from: Double?
    package var to: Double?

    package init(from: Double?, to: Double?) {
        self.from = from
        self.to = to
    }

    package static var everything: OffsetRange { OffsetRange(from: nil, to: nil) }
}
