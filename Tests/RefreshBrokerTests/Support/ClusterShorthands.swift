import RefreshProtocol

@testable import RefreshBroker

extension NodeID {
    /// The node that the test simulates.
    static let own = NodeID(bits: 1)
    static let second = NodeID(bits: 2)
    static let third = NodeID(bits: 3)
}

extension RequestOwners {
    /// Three live nodes, of which `owner` owns all requests of the feed `list`.
    static func list(ownedBy owner: NodeID, live: [NodeID] = [.own, .second, .third]) -> Self {
        RequestOwners(own: .own, live: live, workers: ["list": [owner]])
    }
}

extension LoadBroker<Int>.Event {
    /// An event of the owner of a request.
    static func owner(_ event: OwnerEvent, _ id: UInt64) -> Self { .ownerEvent(event, CallID(id)) }

    /// The page of an owner, which has it in its cache for `freshMs`.
    static func ownerPage(_ id: UInt64, _ count: Int = 1, freshMs: Int = 0, coolDownMs: Int = 0)
        -> Self
    {
        .owner(
            .page(.of(count), RemainingLifetime(freshMs: freshMs, coolDownMs: coolDownMs)), id)
    }

    /// A request of another node, with an arbitrary idempotency key.
    static func remote(
        _ request: LoadRequest, _ waiter: Int, deadline: Instant, keptPages: KeptPages = .any
    ) -> Self {
        .started(
            BrokerRequest(
                request, idempotencyKey: "key", keptPages: keptPages, isRemote: true), waiter,
            deadline: deadline)
    }
}

extension LoadBroker<Int>.Effect {
    static func ask(
        _ id: UInt64, _ request: LoadRequest, of owner: NodeID = .second,
        keptPages: KeptPages = .any, deadline: Instant = .ms(100)
    ) -> Self {
        .ask(
            owner,
            RemoteOrder(
                id: CallID(id), request, idempotencyKey: "key", keptPages: keptPages,
                deadline: deadline))
    }

    static func withdraw(_ id: UInt64, from owner: NodeID = .second) -> Self {
        .withdraw(CallID(id), from: owner)
    }
}

extension BrokerHarness {
    /// Creates a harness with the feed `list`, whose requests another node owns.
    static func cluster(
        _ feed: FeedPolicy = FeedPolicy(), _ backend: BackendPolicy = BackendPolicy(),
        loadsInFlightMax: Int = 8, owner: NodeID = .second
    ) -> BrokerHarness {
        var harness = BrokerHarness(feed, backend, loadsInFlightMax: loadsInFlightMax)
        harness.send(.ownersChanged(.list(ownedBy: owner)))
        return harness
    }

    /// The counters of the asks of the feed `list`.
    var askTally: AskTally { machine.counters.feeds["list"]?.asks ?? AskTally() }
}
