import RefreshBroker

extension Broker {
    /// A broker of feeds with a backend each and no policy.
    convenience init(
        backends: [String: any Backend], loadsInFlightMax: Int,
        deliver: @escaping @Sendable ([Waiter], LoadEvent) -> Void
    ) {
        let feeds = backends.map { ($0.key, BrokerPlan.Feed($0.value, group: $0.key)) }
        self.init(
            plan: BrokerPlan(
                feeds: Dictionary(uniqueKeysWithValues: feeds), loadsInFlightMax: loadsInFlightMax),
            seed: 1, itemHash: SipHash(key: 1, 2), deliver: deliver)
    }

    /// A load that nobody asked for, with a key of no meaning.
    func start(_ request: LoadRequest, for waiter: Waiter, deadlineMs: Int) {
        start(BrokerRequest(request, idempotencyKey: "key"), for: waiter, deadlineMs: deadlineMs)
    }
}
