internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// Counts connections over all loops, and admits or refuses new ones.
///
///     admitConnection -> ConnectionPlace -> (behind a proxy: assign) -> refusal -> release
///
/// A client can receive the reason of a refusal only after it has sent a request. A few connections
/// beyond the limit are therefore accepted only to be refused: at most `surplusMax`, and at most
/// `surplusPerAddressMax` per address. Each of these connections can stay open until the time limit
/// for the head of a request (`headTimeoutMs`). All other connections beyond the limit are closed
/// at once. Admin connections and their surplus are counted separately. Any thread may use the
/// limiter. Source: docs/operations.md, "When there is too much".
final class ConnectionLimiter: Sendable {
    struct State {
        var clients: ClientLimits<SessionKey>
        var limits: Limits { clients.limits }
        var connections = 0
        var surplus = 0
        var surplusByNetwork: [PeerNetwork: Int] = [:]
        var admin = 0
        var adminSurplus = 0
        var byNetwork: [PeerNetwork: Int] = [:]
        var handshakes: TokenBucket
        /// The allowances of the networks that only this node counts.
        var handshakesByNetwork: NetworkAllowances<PeerNetwork>
        /// The allowances of the networks that all nodes of the cluster count.
        var handshakesByKey: NetworkAllowances<CountKey>

        func hasRoom(for network: PeerNetwork?) -> Bool {
            guard let network else { return true }
            let key = Self.key(of: network, by: clients.keys)
            return byNetwork[network, default: 0] < clients.connectionsMax(of: key)
        }

        /// The key under which all nodes count a network. Nil without a cluster, and for networks
        /// that are others on each machine.
        static func key(of network: PeerNetwork?, by keys: CountKeys?) -> CountKey? {
            guard let keys, let network, !network.isMachineLocal else { return nil }
            return keys.key(ofAddress: network.halves.high, network.halves.low)
        }

        /// Takes a handshake from the allowances. Returns false if one of them is used up.
        mutating func consumeHandshake(of network: PeerNetwork?, at now: Instant) -> Bool {
            // The allowance of the address is checked first, so that an address beyond its limit
            // does not use up the allowance that all addresses share.
            if let key = Self.key(of: network, by: clients.keys) {
                guard handshakesByKey.hasToken(for: key, at: now), handshakes.consume(at: now)
                else { return false }
                handshakesByKey.consumeToken(of: key, at: now)
                clients.recordHandshake(of: key)
                return true
            }
            guard handshakesByNetwork.hasToken(for: network, at: now), handshakes.consume(at: now)
            else { return false }
            handshakesByNetwork.consumeToken(of: network, at: now)
            return true
        }

        /// Applies this node's share of `handshakesPerAddressMax`.
        mutating func updateHandshakesMax(at now: Instant) {
            handshakesByKey.setRate(perSecond: clients.handshakesMax, at: now)
        }

        mutating func addConnection(from network: PeerNetwork?) {
            if let network { byNetwork[network, default: 0] += 1 }
        }

        mutating func removeConnection(from network: PeerNetwork?) {
            guard let network, let count = byNetwork[network] else { return }
            byNetwork[network] = count > 1 ? count - 1 : nil
        }

        /// Reserves a surplus place for a connection of the network. Returns false if all surplus
        /// places are taken, or if the network has taken as many as it may.
        mutating func reserveSurplus(of network: PeerNetwork?) -> Bool {
            guard surplus < ConnectionLimiter.surplusMax else { return false }
            if let network {
                let count = surplusByNetwork[network, default: 0]
                guard count < ConnectionLimiter.surplusPerAddressMax else { return false }
                surplusByNetwork[network] = count + 1
            }
            surplus += 1
            return true
        }

        mutating func releaseSurplus(of network: PeerNetwork?) {
            surplus -= 1
            guard let network, let count = surplusByNetwork[network] else { return }
            surplusByNetwork[network] = count > 1 ? count - 1 : nil
        }
    }

    /// The maximum number of connections beyond the limit that are accepted only to be refused.
    static let surplusMax = 64
    /// The maximum number of these connections from one address.
    static let surplusPerAddressMax = 8

    let state: Mutex<State>
    private let memory: MemoryGauge
    private let isProxy: @Sendable (_ address: String) -> Bool
    private let shedMemory: MemoryGauge.Shed
    private let shedNewest: @Sendable (_ reading: MemoryReading) -> Void

    /// Roughly the memory that a connection uses, in bytes.
    private static let connectionBytes = 16_384

    /// `isProxy`: returns whether an address belongs to a trusted proxy. `shedMemory`: evicts
    /// detached sessions (sessions without a connection) while memory is short; see `MemoryGauge`.
    /// `shedNewest`: closes the sessions with the newest connections, to free the bytes by which
    /// the memory in use exceeds its bound.
    init(
        limits: Limits, memory: MemoryGauge = MemoryGauge(), now: Instant,
        isProxy: @escaping @Sendable (_ address: String) -> Bool = { _ in false },
        shedMemory: @escaping MemoryGauge.Shed = { $0() },
        shedNewest: @escaping @Sendable (_ reading: MemoryReading) -> Void = { _ in }
    ) {
        state = Mutex(
            State(
                clients: ClientLimits(limits),
                handshakes: TokenBucket(perSecond: limits.handshakesPerSecondMax, now: now),
                handshakesByNetwork: NetworkAllowances(perSecond: limits.handshakesPerAddressMax),
                handshakesByKey: NetworkAllowances(perSecond: limits.handshakesPerAddressMax)))
        self.memory = memory
        self.isProxy = isProxy
        self.shedMemory = shedMemory
        self.shedNewest = shedNewest
    }

    /// Applies new limits. Current connections stay. A new rate of handshakes begins with a whole
    /// allowance.
    func apply(_ limits: Limits, at now: Instant) {
        state.withLock { state in
            let old = state.limits
            state.clients.limits = limits
            if old.handshakesPerSecondMax != limits.handshakesPerSecondMax {
                state.handshakes = TokenBucket(perSecond: limits.handshakesPerSecondMax, now: now)
            }
            if old.handshakesPerAddressMax != limits.handshakesPerAddressMax {
                state.handshakesByNetwork = NetworkAllowances(
                    perSecond: limits.handshakesPerAddressMax)
            }
            state.updateHandshakesMax(at: now)
        }
    }

    /// Counts an accepted connection.
    func admitConnection(from address: String) -> ArrivalDecision {
        let network = isProxy(address) ? nil : PeerNetwork(address)
        return state.withLock { state in
            guard state.connections < state.limits.connectionsMax, state.hasRoom(for: network)
            else {
                guard state.reserveSurplus(of: network) else { return .closeImmediately }
                return .acceptToRefuse(place: ConnectionPlace(.surplus, network))
            }
            state.connections += 1
            state.addConnection(from: network)
            return .accept(place: ConnectionPlace(.counted, network))
        }
    }

    /// Counts an accepted connection to an `admin` listener. These connections have a separate
    /// limit, so clients cannot use up the connections of operators.
    func admitAdminConnection() -> ArrivalDecision {
        state.withLock { state in
            if state.admin < state.limits.adminConnectionsMax {
                state.admin += 1
                return .accept(place: ConnectionPlace(.admin, nil))
            }
            guard state.adminSurplus < Self.surplusMax else { return .closeImmediately }
            state.adminSurplus += 1
            return .acceptToRefuse(place: ConnectionPlace(.adminSurplus, nil))
        }
    }

    /// Counts a connection from a trusted proxy. The current request names a client, and the
    /// connection counts for the address of this client. If that address has too many connections,
    /// returns false. In that case the connection counts for no address until the next request on
    /// it.
    func assign(_ place: ConnectionPlace, toClient address: String) -> Bool {
        let network = PeerNetwork(address)
        return state.withLock { state in
            guard place.kind == .counted else { return place.kind == .admin }
            return place.network.withLock { old in
                if let network, old == network { return true }
                state.removeConnection(from: old)
                let hasRoom = state.hasRoom(for: network)
                old = hasRoom ? network : nil
                state.addConnection(from: old)
                return hasRoom
            }
        }
    }

    /// Releases the place of a closed connection.
    func release(_ place: ConnectionPlace) {
        state.withLock { state in
            switch place.kind {
            case .surplus: state.releaseSurplus(of: place.network.withLock { $0 })
            case .counted:
                state.connections -= 1
                state.removeConnection(from: place.network.withLock { $0 })
            case .admin: state.admin -= 1
            case .adminSurplus: state.adminSurplus -= 1
            }
        }
    }

    /// Returns why an upgrade that passed all other checks is refused; nil: the upgrade is
    /// admitted. The upgrade counts as a handshake, so this must be the last check.
    func refusal(ofUpgradeAt place: ConnectionPlace?, now: Instant) -> GateRefusal? {
        if let refusal = refusal(ofRequestAt: place) { return refusal }
        if checkMemory(at: now, for: Self.connectionBytes) { return .outOfMemory }
        let network = place?.network.withLock { $0 }
        return state.withLock { state in
            state.consumeHandshake(of: network, at: now) ? nil : .tooManyHandshakes
        }
    }

    /// Returns why a request that is not an upgrade is refused; nil: the request is answered.
    func refusal(ofRequestAt place: ConnectionPlace?) -> GateRefusal? {
        place?.kind.isSurplus == true ? .tooManyConnections : nil
    }

    /// Measures memory. If memory is short, starts to free memory. Returns whether memory is short.
    /// `bytes`: roughly how much memory the new client will use.
    @discardableResult
    func checkMemory(at now: Instant, for bytes: Int = 0) -> Bool {
        memory.measure(bytesMax: memoryBytesMax, grown: bytes, at: now, shed: shedMemory)
    }

    /// Records that sessions use roughly `bytes` bytes more. If memory is too short, closes the
    /// newest sessions.
    func recordSessionGrowth(by bytes: Int, at now: Instant) {
        guard let reading = memory.recordGrowth(by: bytes, bytesMax: memoryBytesMax, at: now) else {
            return
        }
        shedNewest(reading)
    }

    /// Whether memory was short at the last measurement.
    var isShortOfMemory: Bool { memory.isShort }

    /// Returns the memory of ended sessions to the system. Call it when few sessions end.
    func releaseFreeMemory() { memory.releaseFreeMemory() }

    private var memoryBytesMax: Int { state.withLock { $0.limits.memoryBytesMax } }

    /// The current counts.
    var census: ConnectionCensus {
        let residentBytes = memory.residentBytes
        return state.withLock { state in
            ConnectionCensus(
                connections: state.connections, networks: state.byNetwork.count,
                busiestNetwork: state.byNetwork.values.max() ?? 0, admin: state.admin,
                residentBytes: residentBytes)
        }
    }
}
