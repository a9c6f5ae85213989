internal import RefreshProtocol
internal import WebSocketTransport

/// What each network may still do: so much a second, twice as much at once. Of those that were
/// quiet long enough to have all of it nothing is kept, and it does not matter whether they are
/// connected: who leaves and comes back finds what he left.
struct NetworkAllowances {
    private let perSecond: Int
    private var buckets: [PeerNetwork: TokenBucket] = [:]
    /// With so many the quiet ones are looked for.
    private var sweepAt = sweepMin

    private static let sweepMin = 1024

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// How many networks something is kept of.
    var count: Int { buckets.count }

    /// Whether one more is allowed. Nil: nobody that is counted.
    mutating func hasOne(for network: PeerNetwork?, at now: Instant) -> Bool {
        guard let network else { return true }
        guard let there = buckets[network]?.available(at: now) else { return true }
        return there >= 1
    }

    /// Takes one, which there must be.
    mutating func takeOne(of network: PeerNetwork?, at now: Instant) {
        guard let network else { return }
        if buckets.count >= sweepAt { sweep(at: now) }
        _ = buckets[network, default: TokenBucket(perSecond: perSecond, now: now)].take(at: now)
    }

    /// Forgets those that have all of it again. It comes again when there are twice as many as are
    /// left, so that each costs the same however many there are.
    private mutating func sweep(at now: Instant) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        sweepAt = max(Self.sweepMin, 2 * buckets.count)
    }
}
