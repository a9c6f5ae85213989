internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// Counts who is connected, over all loops, and says who may come in.
///
///     accept -> arrive -> place -> (request of a proxy: `isFor`) -> refusal -> leave
///
/// A connection that is one too many can be told so only when it has asked for something. So a few
/// of them are let in to be refused (`surplusMax`, of one address `surplusPerAddressMax`), each for
/// the time that a head may take; all others are closed at once. Operators are counted by
/// themselves, with a surplus of their own. From any thread. Source:
/// docs/operations.md, "When there is too much".
final class Doorkeeper: Sendable {
    private struct State {
        var limits: Limits
        var connections = 0
        var surplus = 0
        var surplusByNetwork: [PeerNetwork: Int] = [:]
        var admin = 0
        var adminSurplus = 0
        var byNetwork: [PeerNetwork: Int] = [:]
        var handshakes: TokenBucket
        var handshakesByNetwork: NetworkAllowances

        func hasRoom(for network: PeerNetwork?) -> Bool {
            guard let network else { return true }
            return byNetwork[network, default: 0] < limits.connectionsPerAddressMax
        }

        mutating func enter(_ network: PeerNetwork?) {
            if let network { byNetwork[network, default: 0] += 1 }
        }

        mutating func leave(_ network: PeerNetwork?) {
            guard let network, let count = byNetwork[network] else { return }
            byNetwork[network] = count > 1 ? count - 1 : nil
        }

        /// Takes one of the surplus; false if there is none for that network.
        mutating func takeSurplus(of network: PeerNetwork?) -> Bool {
            guard surplus < Doorkeeper.surplusMax else { return false }
            if let network {
                let count = surplusByNetwork[network, default: 0]
                guard count < Doorkeeper.surplusPerAddressMax else { return false }
                surplusByNetwork[network] = count + 1
            }
            surplus += 1
            return true
        }

        mutating func leaveSurplus(_ network: PeerNetwork?) {
            surplus -= 1
            guard let network, let count = surplusByNetwork[network] else { return }
            surplusByNetwork[network] = count > 1 ? count - 1 : nil
        }
    }

    /// So many beyond the bound are let in to be refused.
    static let surplusMax = 64
    /// So many of them of one address.
    static let surplusPerAddressMax = 8

    private let state: Mutex<State>
    private let memory: MemoryGauge
    private let isProxy: @Sendable (_ address: String) -> Bool
    private let shedMemory: MemoryGauge.Shed
    private let shedNewest: @Sendable (_ reading: MemoryReading) -> Void

    /// The bytes that a connection takes, about.
    private static let connectionBytes = 16_384

    /// `isProxy`: whether that address is of a proxy that is believed for whom it asks.
    /// `shedMemory`: has go what can be spared, where memory is short; see `MemoryGauge`.
    /// `shedNewest`: has go who came last, though connected, until there is so much less.
    init(
        limits: Limits, memory: MemoryGauge = MemoryGauge(), now: Instant,
        isProxy: @escaping @Sendable (_ address: String) -> Bool = { _ in false },
        shedMemory: @escaping MemoryGauge.Shed = { $0() },
        shedNewest: @escaping @Sendable (_ reading: MemoryReading) -> Void = { _ in }
    ) {
        state = Mutex(
            State(
                limits: limits,
                handshakes: TokenBucket(perSecond: limits.handshakesPerSecondMax, now: now),
                handshakesByNetwork: NetworkAllowances(
                    perSecond: limits.handshakesPerAddressMax)))
        self.memory = memory
        self.isProxy = isProxy
        self.shedMemory = shedMemory
        self.shedNewest = shedNewest
    }

    /// From now on these bounds hold. Who is there stays.
    func adopt(_ limits: Limits, at now: Instant) {
        state.withLock { state in
            let old = state.limits
            state.limits = limits
            if old.handshakesPerSecondMax != limits.handshakesPerSecondMax {
                state.handshakes = TokenBucket(perSecond: limits.handshakesPerSecondMax, now: now)
            }
            if old.handshakesPerAddressMax != limits.handshakesPerAddressMax {
                state.handshakesByNetwork = NetworkAllowances(
                    perSecond: limits.handshakesPerAddressMax)
            }
        }
    }

    /// A connection was accepted.
    func arrive(from address: String) -> ArrivalDecision {
        let network = isProxy(address) ? nil : PeerNetwork(address)
        return state.withLock { state in
            guard state.connections < state.limits.connectionsMax, state.hasRoom(for: network)
            else {
                guard state.takeSurplus(of: network) else { return .turnAway }
                return .hearOut(place: ConnectionPlace(.surplus, network))
            }
            state.connections += 1
            state.enter(network)
            return .welcome(place: ConnectionPlace(.counted, network))
        }
    }

    /// A connection to an `admin` listener was accepted: whatever clients take, an operator can
    /// look.
    func arriveAtAdmin() -> ArrivalDecision {
        state.withLock { state in
            if state.admin < state.limits.adminConnectionsMax {
                state.admin += 1
                return .welcome(place: ConnectionPlace(.admin, nil))
            }
            guard state.adminSurplus < Self.surplusMax else { return .turnAway }
            state.adminSurplus += 1
            return .hearOut(place: ConnectionPlace(.adminSurplus, nil))
        }
    }

    /// The connection, which came by a trusted proxy, asks for somebody at `address` now: it counts
    /// as one of that address from here on. False if that has too many: then it counts as nobody's,
    /// and the next request asks anew.
    func place(_ place: ConnectionPlace, isFor address: String) -> Bool {
        let network = PeerNetwork(address)
        return state.withLock { state in
            guard place.kind == .counted else { return place.kind == .admin }
            return place.network.withLock { old in
                if let network, old == network { return true }
                state.leave(old)
                let hasRoom = state.hasRoom(for: network)
                old = hasRoom ? network : nil
                state.enter(old)
                return hasRoom
            }
        }
    }

    /// The connection has ended.
    func leave(_ place: ConnectionPlace) {
        state.withLock { state in
            switch place.kind {
            case .surplus: state.leaveSurplus(place.network.withLock { $0 })
            case .counted:
                state.connections -= 1
                state.leave(place.network.withLock { $0 })
            case .admin: state.admin -= 1
            case .adminSurplus: state.adminSurplus -= 1
            }
        }
    }

    /// Why a WebSocket is not let in that would be let in else; nil lets it in. Counts it as a
    /// handshake: ask last.
    func refusal(ofUpgradeAt place: ConnectionPlace?, now: Instant) -> GateRefusal? {
        if let refusal = refusal(ofRequestAt: place) { return refusal }
        if lookAtMemory(at: now, for: Self.connectionBytes) { return .outOfMemory }
        let network = place?.network.withLock { $0 }
        return state.withLock { state in
            // The address first: one that has had its share uses up nothing of the others'.
            guard state.handshakesByNetwork.hasOne(for: network, at: now),
                state.handshakes.take(at: now)
            else { return .tooManyHandshakes }
            state.handshakesByNetwork.takeOne(of: network, at: now)
            return nil
        }
    }

    /// Why a plain request is not answered; nil lets it be.
    func refusal(ofRequestAt place: ConnectionPlace?) -> GateRefusal? {
        place?.kind.isSurplus == true ? .tooManyConnections : nil
    }

    /// Looks whether memory is short, for those who hold some that can be spared. Whether it is.
    /// `bytes`: roughly how much memory the new client will use.
    @discardableResult
    func lookAtMemory(at now: Instant, for bytes: Int = 0) -> Bool {
        memory.look(bytesMax: memoryBytesMax, grown: bytes, at: now, shed: shedMemory)
    }

    /// Sessions have taken so many bytes more, about: if that is too much, who came last goes.
    func sessionsGrew(by bytes: Int, at now: Instant) {
        guard let reading = memory.grow(by: bytes, bytesMax: memoryBytesMax, at: now) else {
            return
        }
        shedNewest(reading)
    }

    /// Whether memory was short when it was looked at last.
    var isShortOfMemory: Bool { memory.isShort }

    /// Gives the memory of sessions that have ended back to the system, at a calm moment.
    func giveMemoryBack() { memory.giveBack() }

    private var memoryBytesMax: Int { state.withLock { $0.limits.memoryBytesMax } }

    /// What is counted now.
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
