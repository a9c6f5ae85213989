/// Queued announcements, in order. At most 16 announcements are kept, and later ones are dropped,
/// because a backlog is of no use to the user.
package struct SpokenCues: Hashable, Sendable, Codable {
    private static let countMax = 16
    private static let bits: UInt64 = 4
    private var packed: UInt64 = 0
    package private(set) var count: UInt8 = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ cue: SpokenCue) {
        guard count < Self.countMax else { return }
        packed |= UInt64(cue.rawValue) &<< (UInt64(count) &* Self.bits)
        count += 1
    }

    package subscript(index: Int) -> SpokenCue? {
        let bits = packed &>> (UInt64(truncatingIfNeeded: index) &* Self.bits)
        return SpokenCue(rawValue: UInt8(truncatingIfNeeded: bits & 0xF))
    }
}
