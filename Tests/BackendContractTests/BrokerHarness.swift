import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing

/// A real broker with one backend, and the outcomes of all waiters. A waiter is a load that waits
/// for a call of the backend.
final class BrokerHarness: Sendable {
    private let ends = Ends()
    let backend: HeldBackend
    let broker: Broker<Int>

    private final class Ends: Sendable {
        let outcomes = Mutex<[Int: [LoadOutcome]]>([:])
    }

    init(_ rig: Rig, isOpen: Bool = false, policy: FeedPolicy = FeedPolicy()) {
        let backend = HeldBackend(rig.backend, isOpen: isOpen)
        let ends = ends
        self.backend = backend
        broker = Broker(
            plan: BrokerPlan(
                feeds: ["feed": BrokerPlan.Feed(backend, group: "feed", policy: policy)]),
            seed: 1, itemHash: SipHash(key: 1, 2)
        ) { waiters, event in
            guard case .ended(let outcome) = event else { return }
            ends.outcomes.withLock { outcomes in
                for waiter in waiters { outcomes[waiter, default: []].append(outcome) }
            }
        }
    }

    /// The outcomes of each waiter. A waiter with more than one outcome indicates a defect.
    var outcomes: [Int: [LoadOutcome]] { ends.outcomes.withLock { $0 } }

    func start(_ request: LoadRequest, for waiter: Int, deadlineMs: Int = 60_000) {
        let brokerRequest = BrokerRequest(
            request, idempotencyKey: "key-\(waiter)", keptPages: .none)
        broker.start(brokerRequest, for: waiter, deadlineMs: deadlineMs)
    }
}
