/// Queued haptic cues, in order. At most 16 cues are kept, and later cues are dropped, because a
/// backlog is of no use to the user.
package struct HapticCues: Hashable, Sendable, Codable {
    private static let countMax = 16
    private var bits: UInt16 = 0
    package private(set) var count: UInt8 = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ haptic: Haptic) {
        guard count < Self.countMax else { return }
        if haptic == .impact { bits |= 1 &<< UInt16(count) }
        count += 1
    }

    package subscript(index: Int) -> Haptic {
        bits & (1 &<< UInt16(truncatingIfNeeded: index)) == 0 ? .selection : .impact
    }
}

/// A haptic cue. Source: docs/protocol.md, "update".
public enum Haptic: String, CaseIterable, Sendable, Codable {
    /// A threshold was crossed.
    case selection
    /// The edge fired.
    case impact
}
