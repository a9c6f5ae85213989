import RefreshBroker
import RefreshProtocol

/// The calls of the backends of a cluster, and the rule for them.
///
/// - In a settled cluster, equal requests cause at most one call at a time in each group of nodes.
///   Requests from before and after a change are not equal, because the later one must get newer
///   data.
/// - A node performs a load, with one idempotency key, at most once for each time that a session
///   has started the load. So a load causes at most as many calls as nodes need it.
final class CallMonitor {
    private struct Call {
        let request: LoadRequest
        let node: SimulatedNode
        let began: Instant
        let isSettled: Bool
    }

    private struct KeyedNode: Hashable {
        let key: String
        let node: Int
    }

    /// The time that a `changed` may take until it is applied everywhere, in milliseconds.
    private static let changeMs = 2500.0
    /// The time that a load must have left, in milliseconds. With less, a node calls the backend
    /// itself after a short silence of the owner.
    private static let remainingMs = 1500.0

    private let agenda: Agenda
    private let bus: SimulatedBus
    private let isHealthy: Bool
    /// Receives a call that breaks the rule.
    var fail: (String) -> Void = { _ in }
    private var running: [Int: [CallID: Call]] = [:]
    private var starts: [String: Int] = [:]
    private var calls: [KeyedNode: Int] = [:]
    private var changes: [String: Instant] = [:]
    /// The number of calls that were compared with others.
    private(set) var compared = 0

    /// `isHealthy`: whether no call fails. If calls fail, an owner may refuse loads because of its
    /// circuit breaker, and each node then calls the backend itself.
    init(agenda: Agenda, bus: SimulatedBus, isHealthy: Bool) {
        self.agenda = agenda
        self.bus = bus
        self.isHealthy = isHealthy
    }

    /// A session starts a load.
    func recordStart(_ request: BrokerRequest) {
        starts[request.idempotencyKey, default: 0] += 1
    }

    /// A change of the feed is reported.
    func recordChange(of feed: String) { changes[feed] = agenda.now }

    func begin(_ order: CallOrder, at node: SimulatedNode) {
        if order.attempt == 1 { count(order, at: node) }
        var request = order.request
        request.trigger = .manual
        let now = agenda.now
        let remainingMs = order.deadline.milliseconds(since: now)
        let call = Call(
            request: request, node: node, began: now,
            isSettled: isHealthy && bus.isSettled && remainingMs >= Self.remainingMs)
        if call.isSettled { compare(call) }
        running[node.number, default: [:]][order.id] = call
    }

    func end(_ id: CallID, at node: SimulatedNode) { running[node.number]?[id] = nil }

    func endAll(at node: SimulatedNode) { running[node.number] = nil }

    private func count(_ order: CallOrder, at node: SimulatedNode) {
        let key = KeyedNode(key: order.idempotencyKey, node: node.number)
        calls[key, default: 0] += 1
        // The key of a page of a series is that of its load, with the hash of the page's request.
        let ofSeries = order.idempotencyKey.split(separator: "-").dropLast().joined(separator: "-")
        let allowed = starts[order.idempotencyKey, default: 0] + starts[ofSeries, default: 0]
        if calls[key, default: 0] > allowed {
            fail(
                "node \(node.number) performed the load \(order.idempotencyKey) "
                    + "\(calls[key, default: 0]) times, and it was started \(allowed) times")
        }
    }

    private func compare(_ call: Call) {
        compared += 1
        for (_, others) in running.sorted(by: { $0.key < $1.key }) {
            for other in others.values
            where other.isSettled && other.request == call.request
                && other.node !== call.node
                && bus.groups[other.node.place] == bus.groups[call.node.place]
                && other.node.version == call.node.version && !hasChanged(since: other)
            {
                fail(
                    "the nodes \(other.node.number) and \(call.node.number) call the backend for "
                        + "the same request \(call.request)")
            }
        }
    }

    private func hasChanged(since call: Call) -> Bool {
        guard let change = changes[call.request.feed] else { return false }
        return call.began.milliseconds(since: change) < Self.changeMs
    }
}
