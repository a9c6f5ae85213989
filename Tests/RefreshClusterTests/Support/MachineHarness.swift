import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// A `ClusterMachine` at a time that the test sets, with readable effects.
struct MachineHarness {
    /// An effect with its message decoded.
    enum Outcome: Equatable {
        case toAll(BusMessage.Content)
        case to(NodeID, BusMessage.Content)
        case effect(ClusterMachine.Effect)
    }

    static let own = NodeID(bits: 1)
    static let other = NodeID(bits: 2)
    static let third = NodeID(bits: 3)

    var machine = ClusterMachine(own: own, name: "web-1", version: "1.0.0", seed: 7)
    /// Reads the operations of published changes.
    var reports = ChangeReader()
    private(set) var now = Instant.origin

    /// Creates a machine with the feeds `news` and `mail`. If `connectedAt` is not nil, it is
    /// connected at that time, in milliseconds.
    init(connectedAt: Double? = 0) {
        if let connectedAt { now = .ms(connectedAt) }
        send(.feeds(["news", "mail"]))
        if let connectedAt { send(.connected, at: connectedAt) }
    }

    @discardableResult
    mutating func send(_ event: ClusterMachine.Event, at ms: Double? = nil) -> [Outcome] {
        if let ms { now = .ms(ms) }
        var effects: [ClusterMachine.Effect] = []
        machine.handle(event, at: now, into: &effects)
        return effects.map { effect in
            switch effect {
            case .publishToAll(let bytes):
                (try? BusMessage(reading: bytes, reports: reports)).map { .toAll($0.content) }
                    ?? .effect(effect)
            case .publish(let bytes, let node):
                (try? BusMessage(reading: bytes)).map { .to(node, $0.content) } ?? .effect(effect)
            default: .effect(effect)
            }
        }
    }

    /// Receives a message of another node.
    @discardableResult
    mutating func receive(
        _ content: BusMessage.Content, from node: NodeID = other, at ms: Double? = nil
    ) -> [Outcome] {
        send(.received(BusMessage(from: node, content).bytes ?? []), at: ms)
    }

    /// Makes another node live.
    @discardableResult
    mutating func join(
        _ node: NodeID = other, changes: [String: UInt64] = [:], workers: [String] = [],
        at ms: Double? = nil
    ) -> [Outcome] {
        receive(.state(.of(node, changes: changes, workers: workers)), from: node, at: ms)
    }

    /// Sends `clockAdvanced` at each deadline up to a time, and returns all outcomes.
    mutating func advance(to ms: Double) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let next = machine.nextDeadline, next <= .ms(ms) {
            outcomes += send(.clockAdvanced, at: next.milliseconds)
        }
        now = .ms(ms)
        return outcomes
    }

    /// The state that this machine publishes now.
    var state: NodeState { machine.currentState }
}

extension Instant {
    static func ms(_ milliseconds: Double) -> Instant { Instant(milliseconds: milliseconds) }
}

extension NodeState {
    static func of(
        _ node: NodeID, sessions: Int = 3, changes: [String: UInt64] = [:], workers: [String] = []
    ) -> NodeState {
        NodeState(
            name: "node \(node.bits)", version: "1.0.0", sessions: sessions, changes: changes,
            workers: workers)
    }
}

extension LoadRequest {
    static func page(_ page: Int, of feed: String = "news") -> LoadRequest {
        LoadRequest(feed: feed, kind: .refresh, page: page, offset: 0, size: 20)
    }
}

extension RemoteOrder {
    static func of(
        _ id: UInt64, _ request: LoadRequest = .page(1), deadline: Double = 60_000
    ) -> RemoteOrder {
        RemoteOrder(
            id: CallID(id), request, idempotencyKey: "key-\(id)", keptPages: .any,
            deadline: .ms(deadline))
    }
}

extension AskedLoad {
    static func of(
        _ request: LoadRequest = .page(1), deadlineMs: Int = 60_000, seen: [SeenChange] = []
    ) -> AskedLoad {
        AskedLoad(
            request, idempotencyKey: "key", keptPages: .any, deadlineMs: deadlineMs, seen: seen)
    }
}

extension OwnerEvent {
    static func page(_ items: String, count: Int) -> OwnerEvent {
        .page(
            Page(items: Array(items.utf8), count: count),
            RemainingLifetime(freshMs: 100, coolDownMs: 0, ageMs: 5))
    }
}

extension [MachineHarness.Outcome] {
    /// The changes that are applied here.
    var feedChanges: [FeedChange] {
        compactMap { outcome in
            if case .effect(.feedChanged(let change)) = outcome { change } else { nil }
        }
    }

    /// The last owners that the broker received; nil if it received none.
    var owners: RequestOwners?? {
        var last: RequestOwners??
        for case .effect(.ownersChanged(let owners)) in self { last = .some(owners) }
        return last
    }

    /// The contents of the messages to all nodes, without states.
    var announcements: [BusMessage.Content] {
        compactMap { outcome in
            guard case .toAll(let content) = outcome, content.type != .state else { return nil }
            return content
        }
    }
}
