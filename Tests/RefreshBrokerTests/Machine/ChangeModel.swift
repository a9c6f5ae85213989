import RefreshProtocol

@testable import RefreshBroker

/// A model of feed changes. It records the overtaken calls: the calls that began before a change of
/// their feed. It decides which waiters may get the answer of a call.
struct ChangeModel {
    /// One of the calls of a load. The number of an ask of another node is 0.
    private struct Attempt: Hashable {
        let request: LoadRequest
        let key: String
        let number: Int
    }

    /// The number of changes of each feed.
    private var counts: [String: Int] = [:]
    private var known: [Int: Int] = [:]
    private var begun: [CallID: (order: CallOrder, changes: Int)] = [:]
    private var overtaken: Set<CallID> = []
    private var attempts: Set<Attempt> = []

    mutating func start(_ waiter: Int, of feed: String) { known[waiter] = counts[feed] ?? 0 }

    mutating func change(_ feed: String, overtaking running: [CallOrder]) {
        counts[feed, default: 0] += 1
        for order in running where order.request.feed == feed { overtake(order) }
    }

    private mutating func overtake(_ order: CallOrder) {
        overtaken.insert(order.id)
        attempts.insert(
            Attempt(
                request: order.request, key: order.idempotencyKey, number: order.attempt))
    }

    /// Records the beginning of a call or an ask. `isAskedAgain` states whether an earlier ask of
    /// the load has ended without an answer.
    mutating func begin(_ order: CallOrder, isAskedAgain: Bool = false) {
        begun[order.id] = (order, counts[order.request.feed] ?? 0)
        // If a load was overtaken by a change, all its calls and asks are overtaken.
        let before = Attempt(
            request: order.request, key: order.idempotencyKey,
            number: isAskedAgain ? 0 : order.attempt - 1)
        if attempts.contains(before) { overtake(order) }
    }

    func isOvertaken(_ id: CallID) -> Bool { overtaken.contains(id) }

    /// Returns whether an overtaken call that was not aborted has the same request as `order`.
    func hasOvertaken(
        _ running: Dictionary<CallID, CallOrder>.Keys, like order: CallOrder,
        but aborted: Set<CallID>
    ) -> Bool {
        running.contains {
            guard overtaken.contains($0), !aborted.contains($0),
                var twin = begun[$0]?.order.request
            else { return false }
            // The trigger does not distinguish loads.
            twin.trigger = order.request.trigger
            return twin == order.request
        }
    }

    /// Returns whether the call began after all changes that preceded the waiter's start.
    func mayAnswer(_ waiter: Int, _ id: CallID) -> Bool {
        (begun[id]?.changes ?? 0) >= (known[waiter] ?? 0)
    }
}
