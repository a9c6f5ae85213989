internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// The detached sessions, which have no connection and wait for their clients. They are grouped by
/// holder (the client's subject or network). The bytes that each session uses are recorded.
///
/// If a limit is exceeded, the holder with the most sessions, or the most bytes, loses its
/// longest-waiting session. On a tie between holders, the session that has waited longest of all is
/// evicted. A client with many sessions therefore cannot cause the eviction of a session whose
/// holder has no other session.
struct DetachedSessionEviction {
    private struct Place {
        let ticket: UInt64
        let holder: SessionHolder
        var bytes: Int
    }

    /// The sessions of one holder.
    private struct Share {
        /// The sessions in the order in which they were added, including removed ones. An entry
        /// belongs to a removed session if `places` has another ticket for the session, or none.
        var line: [(key: SessionKey, ticket: UInt64)] = []
        /// The index of the first session that was not removed.
        var front = 0
        var count = 0
        var bytes = 0
    }

    private var places: [SessionKey: Place] = [:]
    private var shares: [SessionHolder: Share] = [:]
    private var byCount = MaxHeap<SessionHolder>()
    private var byBytes = MaxHeap<SessionHolder>()
    private var lastTicket: UInt64 = 0
    /// The bytes that all detached sessions use together.
    private(set) var bytes = 0

    var count: Int { places.count }

    func contains(_ key: SessionKey) -> Bool { places[key] != nil }

    /// The number of stored entries, including those of removed sessions.
    var entryCount: Int {
        shares.values.reduce(byCount.entryCount + byBytes.entryCount) { $0 + $1.line.count }
    }

    /// Adds a session that uses `held` bytes. If this makes more than `most` detached sessions, or
    /// if they use more than `bytesMax` bytes, returns the sessions to evict.
    mutating func insert(
        _ key: SessionKey, of holder: SessionHolder = .unknown, holding held: Int = 0, most: Int,
        bytesMax: Int = .max
    ) -> [SessionKey] {
        remove(key)
        lastTicket += 1
        places[key] = Place(ticket: lastTicket, holder: holder, bytes: held)
        bytes += held
        shares[holder, default: Share()].line.append((key, lastTicket))
        addToShare(1, held, of: holder)
        return removeExcess(beyond: most, bytesMax)
    }

    /// Updates the bytes that a detached session uses. Returns the sessions that must be evicted
    /// after this change.
    mutating func updateBytes(of key: SessionKey, holding held: Int, bytesMax: Int) -> [SessionKey]
    {
        guard let place = places[key] else { return [] }
        bytes += held - place.bytes
        places[key]?.bytes = held
        addToShare(0, held - place.bytes, of: place.holder)
        return removeExcess(beyond: .max, bytesMax)
    }

    /// Removes and returns an eighth of the sessions, but at least 16. If there are fewer than 16,
    /// removes all. The removed sessions belong to the holders with the most bytes.
    mutating func removeHeaviest() -> [SessionKey] {
        var taken: [SessionKey] = []
        let count = max(16, places.count / 8)
        while taken.count < count, let key = removeLongestWaiting(of: byBytes.first) {
            taken.append(key)
        }
        return taken
    }

    mutating func remove(_ key: SessionKey) {
        guard let place = places.removeValue(forKey: key) else { return }
        bytes -= place.bytes
        addToShare(-1, -place.bytes, of: place.holder)
    }

    private mutating func removeExcess(beyond most: Int, _ bytesMax: Int) -> [SessionKey] {
        var dismissed: [SessionKey] = []
        while places.count > most, let key = removeLongestWaiting(of: byCount.first) {
            dismissed.append(key)
        }
        while bytes > bytesMax, let key = removeLongestWaiting(of: byBytes.first) {
            dismissed.append(key)
        }
        return dismissed
    }

    /// Removes and returns the longest-waiting session of the holder.
    private mutating func removeLongestWaiting(of holder: SessionHolder?) -> SessionKey? {
        guard let holder, let share = shares[holder] else { return nil }
        let key = share.line[share.front].key
        remove(key)
        return key
    }

    /// Changes the number of the holder's sessions, and their bytes.
    private mutating func addToShare(_ more: Int, _ moreBytes: Int, of holder: SessionHolder) {
        guard var share = shares.removeValue(forKey: holder) else { return }
        share.count += more
        share.bytes += moreBytes
        guard share.count > 0 else {
            byCount.remove(holder)
            byBytes.remove(holder)
            return
        }
        skipRemoved(in: &share)
        let first = share.line[share.front].ticket
        byCount.set(holder, weight: share.count, since: first)
        byBytes.set(holder, weight: share.bytes, since: first)
        shares[holder] = share
    }

    /// Skips the entries of removed sessions. When most entries belong to removed sessions, frees
    /// these entries.
    private func skipRemoved(in share: inout Share) {
        while places[share.line[share.front].key]?.ticket != share.line[share.front].ticket {
            share.front += 1
        }
        guard share.line.count > 16, share.line.count > 2 * share.count else { return }
        share.line = share.line[share.front...].filter { places[$0.key]?.ticket == $0.ticket }
        share.front = 0
    }
}
