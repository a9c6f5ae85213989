import RefreshProtocol

/// The rate limit of snapshots of one session: `perSecond` snapshots in a second, and twice as many
/// in a burst. A user's repeated pulls do not reach this rate. Only a client that starts loads in
/// order to get more snapshots must wait. Source: docs/protocol.md, "Sealed snapshots".
struct SealBudget: Hashable, Codable {
    static let perSecond = 16

    private var bucket: TokenBucket
    /// When the frame that waits for its snapshot may be sent; `never` if none waits.
    private(set) var due = Instant.never

    init(now: Instant) {
        bucket = TokenBucket(perSecond: Self.perSecond, now: now)
    }

    /// The decision about a frame that needs a snapshot.
    enum OnFrame { case admitted, delayed, alreadyDelayed }

    mutating func admitFrame(at now: Instant) -> OnFrame {
        guard due <= now || due == .never else { return .alreadyDelayed }
        let missing = 1 - bucket.available(at: now)
        guard missing > 0 else { return .admitted }
        // The wait is at least a millisecond, because the missing part of a token can be as small
        // as a rounding error.
        due = now.advanced(byMilliseconds: max(1, missing * 1000 / Double(Self.perSecond)))
        return .delayed
    }

    /// Counts a snapshot that is sent, even if the budget does not allow it.
    mutating func recordSeal(at now: Instant) {
        due = .never
        _ = bucket.consume(at: now)
    }

    /// Cancels the wait of a frame for its snapshot.
    mutating func cancelWait() { due = .never }
}
