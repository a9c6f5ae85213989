package import RefreshProtocol

/// Limits the rate of handshakes of each network. The allowance of a network is a token bucket that
/// contains at most twice the number of handshakes per second. Full allowances are removed from
/// time to time, to free their memory. A reconnection does not renew the allowance.
package struct NetworkAllowances<Network: Hashable> {
    package private(set) var perSecond: Int
    private var buckets: [Network: TokenBucket] = [:]
    /// When this many networks have an allowance, the full allowances are removed.
    private var sweepAt = Self.sweepMin

    private static var sweepMin: Int { 1024 }

    package init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// The number of networks with a stored allowance.
    package var count: Int { buckets.count }

    /// Changes the number of handshakes per second. The used part of each allowance remains used.
    package mutating func setRate(perSecond rate: Int, at now: Instant) {
        guard rate != perSecond else { return }
        perSecond = rate
        for network in buckets.keys { buckets[network]?.setRate(perSecond: rate, at: now) }
    }

    /// Returns whether the network may make one more handshake. A nil network is not limited.
    package mutating func hasToken(for network: Network?, at now: Instant) -> Bool {
        guard let network else { return true }
        guard let there = buckets[network]?.available(at: now) else { return true }
        return there >= 1
    }

    /// Takes a token from the network's allowance. A token must be available.
    package mutating func consumeToken(of network: Network?, at now: Instant) {
        guard let network else { return }
        if buckets.count >= sweepAt { sweep(at: now) }
        _ = buckets[network, default: TokenBucket(perSecond: perSecond, now: now)].consume(at: now)
    }

    /// Takes the handshakes that the network has made elsewhere. The allowance then lacks at most
    /// the handshakes of `secondsMax` seconds.
    package mutating func charge(
        _ count: Int, to network: Network, secondsMax: Double, at now: Instant
    ) {
        if buckets.count >= sweepAt { sweep(at: now) }
        buckets[network, default: TokenBucket(perSecond: perSecond, now: now)].charge(
            count, secondsMax: secondsMax, at: now)
    }

    /// Removes the full allowances. The next sweep happens when there are twice as many networks as
    /// remain now, so that the average cost per network is constant.
    private mutating func sweep(at now: Instant) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        sweepAt = max(Self.sweepMin, 2 * buckets.count)
    }
}
