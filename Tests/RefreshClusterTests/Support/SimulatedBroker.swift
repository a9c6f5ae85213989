import RefreshBroker
import RefreshProtocol

@testable import RefreshCluster

/// The part of a broker that a cluster concerns: it asks owners, withdraws, and performs loads of
/// other nodes. It records every violation of what the machine promises.
struct SimulatedBroker {
    private struct Ask {
        var node: NodeID
        var lastEventAt: Instant
        let givesUpAt: Instant
    }

    static let silenceMs = 1000.0

    private(set) var owners: RequestOwners?
    private(set) var violations: [String] = []
    private(set) var answered = 0
    /// The loads that are performed for other nodes, and the times of their ends.
    private(set) var performed: [RemoteLoadID: Instant] = [:]
    private var asks: [CallID: Ask] = [:]
    private var lastCall: UInt64 = 0

    var openAsks: Int { asks.count }

    /// Asks the owner of a request, if it is another node.
    mutating func ask(
        _ request: LoadRequest, deadlineMs: Double, at now: Instant
    ) -> ClusterMachine.Event? {
        guard let owners, case let owner = owners.owner(of: request), owner != owners.own else {
            return nil
        }
        lastCall += 1
        let id = CallID(lastCall)
        asks[id] = Ask(
            node: owner, lastEventAt: now,
            givesUpAt: now.advanced(byMilliseconds: deadlineMs / 2))
        let order = RemoteOrder(
            id: id, request, idempotencyKey: "k\(lastCall)", keptPages: .any,
            deadline: now.advanced(byMilliseconds: deadlineMs))
        return .ask(owner, order)
    }

    /// Withdraws an ask, because its last session has left.
    mutating func withdrawAny(_ random: inout SeededRandom) -> ClusterMachine.Event? {
        guard !asks.isEmpty else { return nil }
        let id = random.element(of: asks.keys.sorted { $0.number < $1.number })
        return withdraw(id)
    }

    private mutating func withdraw(_ id: CallID) -> ClusterMachine.Event? {
        asks.removeValue(forKey: id).map { .withdraw(id, from: $0.node) }
    }

    mutating func receive(_ event: OwnerEvent, of id: CallID, at now: Instant) {
        guard asks[id] != nil else {
            violations.append("an event of a call that is not open: \(id.number)")
            return
        }
        asks[id]?.lastEventAt = now
        guard event.isLast else { return }
        asks[id] = nil
        answered += 1
    }

    /// Applies new owners. The calls at other nodes are performed here.
    mutating func apply(_ owners: RequestOwners?) {
        self.owners = owners
        asks = asks.filter { owners?.live.contains($0.value.node) == true }
    }

    mutating func perform(_ id: RemoteLoadID, until end: Instant) {
        if performed.updateValue(end, forKey: id) != nil {
            violations.append("a load was started twice: \(id)")
        }
    }

    mutating func cancel(_ id: RemoteLoadID) { performed[id] = nil }

    /// The time at which `removeDue` must be called.
    var nextDeadline: Instant? {
        let times = asks.values.map(Self.deadline) + performed.values
        return times.min()
    }

    /// Gives up silent owners, and ends loads for other nodes.
    mutating func removeDue(
        at now: Instant, _ random: inout SeededRandom
    ) -> [ClusterMachine.Event] {
        var events: [ClusterMachine.Event] = []
        for (id, ask) in asks.sorted(by: { $0.key.number < $1.key.number })
        where Self.deadline(of: ask) <= now {
            if let event = withdraw(id) { events.append(event) }
        }
        let ended = performed.filter { $0.value <= now }.keys
        for id in ended.sorted(by: { ($0.node, $0.number) < ($1.node, $1.number) }) {
            performed[id] = nil
            if random.once(in: 3) { events.append(.loadEvent(.progressed(0.5), id)) }
            let last: OwnerEvent =
                random.once(in: 4)
                ? .failed(LoadFailure(.backendFailed, "no")) : .page("[1,2]", count: 2)
            events.append(.loadEvent(last, id))
        }
        return events
    }

    private static func deadline(of ask: Ask) -> Instant {
        min(ask.lastEventAt.advanced(byMilliseconds: silenceMs), ask.givesUpAt)
    }
}
