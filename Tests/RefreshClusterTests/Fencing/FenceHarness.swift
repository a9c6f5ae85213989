import RefreshBroker
import RefreshProtocol

@testable import RefreshCluster

/// A fence of one node. The test delivers the answers of the store.
struct FenceHarness {
    static let own = NodeID(bits: 1)

    var fence = SessionFence(
        own: own, store: HeadStore(cluster: "web", own: own, lifetimeMs: 7_200_000))
    var store = SimulatedStore()
    /// The messages that the store has not received.
    private(set) var sent: [HeadStore.Message] = []
    private(set) var now = Instant.origin

    /// A fence that is connected; with a bucket, unless `hasBucket` is false.
    static func connected(hasBucket: Bool = true) -> FenceHarness {
        var harness = FenceHarness()
        harness.send(.connected)
        if hasBucket { harness.deliverAll() }
        return harness
    }

    /// A node that holds a session after a claim.
    static func holding() -> FenceHarness {
        var harness = connected()
        _ = harness.claim(1, .ours)
        harness.deliverAll()
        return harness
    }

    /// Sends an event, and returns the effects without the messages to the store.
    @discardableResult
    mutating func send(_ event: SessionFence.Event, at milliseconds: Double? = nil)
        -> [SessionFence.Effect]
    {
        if let milliseconds { now = .ms(milliseconds) }
        var effects: [SessionFence.Effect] = []
        fence.handle(event, at: now, into: &effects)
        return effects.filter { effect in
            guard case .send(let message) = effect else { return true }
            sent.append(message)
            return false
        }
    }

    /// Lets the store handle the first message, and delivers its answer.
    @discardableResult
    mutating func deliver() -> [SessionFence.Effect] {
        let message = sent.removeFirst()
        return reply(store.handle(message), to: message)
    }

    /// Lets the store handle the first message, and returns the answer, which is not delivered.
    mutating func handleFirst() -> (answer: String, message: HeadStore.Message) {
        let message = sent.removeFirst()
        return (store.handle(message), message)
    }

    @discardableResult
    mutating func reply(_ text: String, to message: HeadStore.Message) -> [SessionFence.Effect] {
        guard let arrival = fence.store.arrival(on: message.replySubject) else { return [] }
        return send(.received(arrival, Array(text.utf8)))
    }

    /// Delivers messages and answers until there are no more messages.
    @discardableResult
    mutating func deliverAll() -> [SessionFence.Effect] {
        var effects: [SessionFence.Effect] = []
        while !sent.isEmpty { effects += deliver() }
        return effects
    }

    /// Loses the messages that the store has not received.
    mutating func loseMessages() { sent = [] }

    /// Writes an entry as another node, whatever its revision is.
    mutating func write(_ head: SessionHead, of session: String, isRevoked: Bool = false) {
        let entry = StoredHead(node: NodeID(bits: 2), head, isRevoked: isRevoked)
        let revision = store.entries["$KV.refreshd_web.\(session)"]?.revision ?? 0
        let put = StoreRequest.put(entry, session: session, expecting: revision)
        _ = store.handle(fence.store.message(of: put, number: 0))
    }

    @discardableResult
    mutating func claim(_ number: UInt64, _ head: SessionHead) -> [SessionFence.Effect] {
        send(.claim(number, session: "s", head, askedAt: now))
    }

    /// Tells the fence that an entry of the session was written, and lets it read the entry.
    @discardableResult
    mutating func hint() -> [SessionFence.Effect] {
        send(.received(.entry(session: "s"), [])) + deliverAll()
    }
}

extension SessionFence.Effect {
    static let closeSession = SessionFence.Effect.close(session: "s", .ours)
    static let inspectSession = SessionFence.Effect.inspect(session: "s")
}

/// The session is opened on the line `a` and rebuilt on the line `b` by this node, and on the line
/// `c` by another one.
extension SessionHead {
    static let opened = SessionHead.of(("a", 1), received: 1)
    static let ours = SessionHead.of(("a", 1), ("b", 1), received: 0)
    static let oursConfirmed = SessionHead.of(("a", 1), ("b", 1), received: 1)
    static let continued = SessionHead.of(("a", 1), ("b", 1), ("c", 1), received: 0)
    static let theirs = SessionHead.of(("a", 1), ("c", 1), received: 0)
    static let theirsConfirmed = SessionHead.of(("a", 1), ("c", 1), received: 1)
}
