internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// A loop's connections of workers that have not registered, in order of arrival.
///
/// Any peer can connect, so these connections do not count as workers, and their number is limited.
/// At the limit, the oldest connection of the address with the most connections is closed. A worker
/// registers at once and shares its address with few others. Its connection is therefore
/// closed before the registration only if peers from at least `most` other addresses connect first.
struct WorkerArrivals {
    private struct Arrival {
        let key: UInt64
        let network: PeerNetwork?
        let deadline: Instant
    }

    /// The maximum numbers of these connections, per loop and per address.
    static let most = 64
    static let mostPerAddress = 16
    /// The time limit for registration, milliseconds. It is short, because a worker can send its
    /// registration at once.
    static let registrationTimeoutMs = 3000

    private var arrivals: [Arrival] = []

    var count: Int { arrivals.count }

    /// The earliest registration deadline.
    var nextDeadline: Instant? { arrivals.lazy.map(\.deadline).min() }

    /// Adds a connection with its deadline. Returns the connection that must be closed to make
    /// room; nil if there is none.
    mutating func insert(
        _ key: UInt64, from network: PeerNetwork?, until deadline: Instant
    ) -> UInt64? {
        arrivals.append(Arrival(key: key, network: network, deadline: deadline))
        var counts: [PeerNetwork?: Int] = [:]
        for arrival in arrivals { counts[arrival.network, default: 0] += 1 }
        if counts[network, default: 0] > Self.mostPerAddress {
            return removeOldest { $0 == network }
        }
        guard arrivals.count > Self.most, let most = counts.values.max() else { return nil }
        return removeOldest { counts[$0] == most }
    }

    /// Removes a connection that has registered or closed.
    mutating func remove(_ key: UInt64) { arrivals.removeAll { $0.key == key } }

    /// Removes and returns the connections whose deadline has passed.
    mutating func removeOverdue(at now: Instant) -> [UInt64] {
        let overdue = arrivals.filter { $0.deadline <= now }.map(\.key)
        arrivals.removeAll { $0.deadline <= now }
        return overdue
    }

    private mutating func removeOldest(of isMeant: (PeerNetwork?) -> Bool) -> UInt64? {
        guard let index = arrivals.firstIndex(where: { isMeant($0.network) }) else { return nil }
        return arrivals.remove(at: index).key
    }
}
