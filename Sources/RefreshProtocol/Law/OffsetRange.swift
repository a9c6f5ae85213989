/// A closed range of offsets or places; nil: no bound on that side.
package struct OffsetRange: Hashable, Sendable, Codable {
    package var from: Double?
    package var to: Double?

    package init(from: Double?, to: Double?) {
        self.from = from
        self.to = to
    }

    package static var everything: OffsetRange { OffsetRange(from: nil, to: nil) }
}
