internal import Dispatch
internal import Synchronization
internal import WebSocketTransport

/// How full the daemon is, and whether it is stopping: the little that its loops share.
package final class Occupancy: Sendable {
    /// So many connections are let in while all places are taken, so that their `hello` can say
    /// that they come back, and so many of them may have a place beyond the bound until they have
    /// their old one's.
    static let surplusMax = 64
    /// So many of those that are let in so are of one address.
    static let surplusPerAddressMax = 8

    private let connections = Atomic<Int>(0)
    private let sessions = Atomic<Int>(0)
    private let stopping = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)
    /// Of each network, its connections of sessions that have no place yet.
    private let silent = Mutex<[PeerNetwork: Int]>([:])
    private let emptied = DispatchSemaphore(value: 0)

    package init() {}

    var value: GatePolicy.Occupancy {
        let places = places
        return GatePolicy.Occupancy(
            sessions: places,
            silent: max(0, connections.load(ordering: .relaxed) - places), isDraining: isDraining)
    }

    /// Whether others should send nobody here any more.
    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

    /// Whether nobody enters any more.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// A connection stands that wants to be a session; false if the daemon is stopping.
    func enter() -> Bool {
        connections.add(1, ordering: .sequentiallyConsistent)
        if !isDraining { return true }
        leave()
        return false
    }

    /// It has ended.
    func leave() {
        let (_, count) = connections.subtract(1, ordering: .sequentiallyConsistent)
        if count == 0, isDraining { emptied.signal() }
    }

    /// A connection of that network wants to be a session, and has no place yet.
    func beginSilence(of network: PeerNetwork?) {
        guard let network else { return }
        silent.withLock { $0[network, default: 0] += 1 }
    }

    /// It has one now, or is gone.
    func endSilence(of network: PeerNetwork?) {
        guard let network else { return }
        silent.withLock { silent in
            guard let count = silent[network] else { return }
            silent[network] = count > 1 ? count - 1 : nil
        }
    }

    /// How many connections of that network have no place yet.
    func silent(of network: PeerNetwork?) -> Int {
        network.map { network in silent.withLock { $0[network] ?? 0 } } ?? 0
    }

    /// Takes a place for a session, whose client is let in; false if there is none.
    func takePlace(sessionsMax: Int) -> Bool {
        let (_, count) = sessions.add(1, ordering: .sequentiallyConsistent)
        if count <= sessionsMax { return true }
        givePlaceBack()
        return false
    }

    /// Its connection is gone.
    func givePlaceBack() { sessions.subtract(1, ordering: .sequentiallyConsistent) }

    /// How many places are taken.
    package var places: Int { sessions.load(ordering: .relaxed) }

    /// The daemon is about to stop. False if that was so already.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// From now on nobody enters.
    func beginDraining() { draining.store(true, ordering: .sequentiallyConsistent) }

    /// Waits until all have left or the time is over; the number of those who have not left.
    func waitUntilEmpty(milliseconds: Int) -> Int {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        while connections.load(ordering: .sequentiallyConsistent) > 0 {
            if emptied.wait(timeout: deadline) == .timedOut { break }
        }
        return connections.load(ordering: .sequentiallyConsistent)
    }
}
