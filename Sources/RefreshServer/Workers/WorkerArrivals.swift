internal import RefreshProtocol
internal import WebSocketTransport

/// Who is connected to a loop as a worker and has not registered, in the order of coming.
///
/// Anybody may connect, so these take no place of a worker, and are few: one more, and the one goes
/// that came first of the address that has most. A worker registers at once and is one of few of
/// its address, so it is never that one unless as many addresses as there is room for have come
/// since.
struct WorkerArrivals {
    private struct Arrival {
        let key: UInt64
        let network: PeerNetwork?
        let deadline: Instant
    }

    /// So many of a loop, and so many of one address.
    static let most = 64
    static let mostOfOne = 16
    /// How long it may take to register, milliseconds: what is to be said is known before the
    /// connection stands.
    static let patienceMs = 3000

    private var arrivals: [Arrival] = []

    var count: Int { arrivals.count }

    /// When the next one's time is over.
    var nextDeadline: Instant? { arrivals.lazy.map(\.deadline).min() }

    /// Somebody from there has come, whose time is over then. Who has to go for it.
    mutating func enter(
        _ key: UInt64, from network: PeerNetwork?, until deadline: Instant
    ) -> UInt64? {
        arrivals.append(Arrival(key: key, network: network, deadline: deadline))
        var counts: [PeerNetwork?: Int] = [:]
        for arrival in arrivals { counts[arrival.network, default: 0] += 1 }
        if counts[network, default: 0] > Self.mostOfOne { return takeFirst { $0 == network } }
        guard arrivals.count > Self.most, let most = counts.values.max() else { return nil }
        return takeFirst { counts[$0] == most }
    }

    /// It has registered, or gone.
    mutating func leave(_ key: UInt64) { arrivals.removeAll { $0.key == key } }

    /// Takes those whose time is over.
    mutating func takeOverdue(at now: Instant) -> [UInt64] {
        let overdue = arrivals.filter { $0.deadline <= now }.map(\.key)
        arrivals.removeAll { $0.deadline <= now }
        return overdue
    }

    private mutating func takeFirst(of isMeant: (PeerNetwork?) -> Bool) -> UInt64? {
        guard let index = arrivals.firstIndex(where: { isMeant($0.network) }) else { return nil }
        return arrivals.remove(at: index).key
    }
}
