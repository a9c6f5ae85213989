internal import Dispatch
internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// How many places and connections of the daemon are in use, and whether the daemon is stopping.
/// All loops share this state.
package final class AdmissionState: Sendable {
    /// A place is the permission to have one connected session. There are `sessionsMax` places.
    /// While all places are taken, this many further connections are accepted, because their
    /// `hello` can be a request to resume a session. The same number of resuming sessions can get a
    /// place beyond `sessionsMax`, until the places of their old connections are released.
    static let surplusMax = 64
    /// The maximum number of connections from one address that are accepted while all places are
    /// taken.
    static let surplusPerAddressMax = 8

    private let connections = Atomic<Int>(0)
    private let sessions = Atomic<Int>(0)
    private let stopping = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)
    /// The number of connections that have no place yet, by the peer's network.
    private let unadmittedByNetwork = Mutex<[PeerNetwork: Int]>([:])
    private let emptied = DispatchSemaphore(value: 0)

    package init() {}

    /// The current usage of the whole daemon.
    var usage: GatePolicy.Usage {
        let places = places
        return GatePolicy.Usage(
            sessions: places,
            unadmitted: max(0, connections.load(ordering: .relaxed) - places),
            isDraining: isDraining)
    }

    /// Whether load balancers should stop routing connections to this daemon.
    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

    /// Whether new connections are refused.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// Counts a connection that will become a session. If the daemon is draining, returns false and
    /// does not count it.
    func addConnection() -> Bool {
        connections.add(1, ordering: .sequentiallyConsistent)
        if !isDraining { return true }
        removeConnection()
        return false
    }

    /// Counts the end of a connection that was counted by `addConnection`.
    func removeConnection() {
        let (_, count) = connections.subtract(1, ordering: .sequentiallyConsistent)
        if count == 0, isDraining { emptied.signal() }
    }

    /// Counts a connection of the network. The connection will become a session, and has no place
    /// yet.
    func addUnadmittedConnection(of network: PeerNetwork?) {
        guard let network else { return }
        unadmittedByNetwork.withLock { $0[network, default: 0] += 1 }
    }

    /// Stops counting a connection as unadmitted, because it now has a place or is closed.
    func removeUnadmittedConnection(of network: PeerNetwork?) {
        guard let network else { return }
        unadmittedByNetwork.withLock { unadmitted in
            guard let count = unadmitted[network] else { return }
            unadmitted[network] = count > 1 ? count - 1 : nil
        }
    }

    /// How many connections of the network have no place yet.
    func unadmittedConnections(of network: PeerNetwork?) -> Int {
        network.map { network in unadmittedByNetwork.withLock { $0[network] ?? 0 } } ?? 0
    }

    /// Reserves a place for a session after its client was admitted. Returns false if no place is
    /// free.
    func reservePlace(sessionsMax: Int) -> Bool {
        let (_, count) = sessions.add(1, ordering: .sequentiallyConsistent)
        if count <= sessionsMax { return true }
        releasePlace()
        return false
    }

    /// Releases the place of a session that has lost its connection.
    func releasePlace() { sessions.subtract(1, ordering: .sequentiallyConsistent) }

    /// The number of taken places.
    package var places: Int { sessions.load(ordering: .relaxed) }

    /// Records that the daemon is about to stop. Returns false if that was already recorded.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Makes the daemon refuse new connections.
    func beginDraining() { draining.store(true, ordering: .sequentiallyConsistent) }

    /// Waits until all connections have ended or the time is over. Returns how many have not ended.
    func waitUntilEmpty(milliseconds: Int) -> Int {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        while connections.load(ordering: .sequentiallyConsistent) > 0 {
            if emptied.wait(timeout: deadline) == .timedOut { break }
        }
        return connections.load(ordering: .sequentiallyConsistent)
    }
}
