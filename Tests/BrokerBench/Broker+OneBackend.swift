package import RefreshBroker

extension Broker {
    /// Creates a broker with default policies. Each of its feeds has its own backend.
    package convenience init(
        backends: [String: any Backend], loadsInFlightMax: Int,
        deliver: @escaping @Sendable ([Waiter], LoadEvent) -> Void
    ) {
        let feeds = backends.map { ($0.key, BrokerPlan.Feed($0.value, group: $0.key)) }
        self.init(
            plan: BrokerPlan(
                feeds: Dictionary(uniqueKeysWithValues: feeds), loadsInFlightMax: loadsInFlightMax),
            seed: 1, itemHash: SipHash(key: 1, 2), deliver: deliver)
    }

    /// Starts an automatic load with an arbitrary idempotency key.
    package func start(_ request: LoadRequest, for waiter: Waiter, deadlineMs: Int) {
        start(BrokerRequest(request, idempotencyKey: "key"), for: waiter, deadlineMs: deadlineMs)
    }
}
