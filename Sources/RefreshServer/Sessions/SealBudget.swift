import RefreshProtocol

/// How often a session may be sealed: so often a second, and twice as often at once. A finger that
/// pulls and pulls again does not come near it; only who makes loads begin for the sake of their
/// snapshots waits. Source: docs/protocol.md, "Sealed snapshots".
struct SealBudget: Hashable, Codable {
    static let perSecond = 16

    private var bucket: TokenBucket
    /// When the frame goes out that waits for its snapshot; `never`: none does.
    private(set) var due = Instant.never

    init(now: Instant) {
        bucket = TokenBucket(perSecond: Self.perSecond, now: now)
    }

    /// What becomes of a frame that is to have a snapshot.
    enum OnFrame { case goes, waits, waitsAlready }

    mutating func frame(at now: Instant) -> OnFrame {
        guard due <= now || due == .never else { return .waitsAlready }
        let missing = 1 - bucket.available(at: now)
        guard missing > 0 else { return .goes }
        // Not less than a millisecond: what is missing may be as little as a rounding.
        due = now.advanced(byMilliseconds: max(1, missing * 1000 / Double(Self.perSecond)))
        return .waits
    }

    /// A snapshot is told, be there room for it or not.
    mutating func sealed(at now: Instant) {
        due = .never
        _ = bucket.take(at: now)
    }

    /// Nothing waits for its snapshot any more.
    mutating func forget() { due = .never }
}
