/// The configuration of the broker: the feeds, their backends and their policies.
package struct BrokerPlan: Sendable {
    /// The properties of a feed that the broker uses.
    package struct Feed: Sendable {
        package var backend: any Backend
        /// The key of the feed's policy in `backends`. Feeds with the same key share a policy, a
        /// circuit breaker and the limit of calls.
        package var group: String
        package var policy: FeedPolicy

        package init(
            _ backend: any Backend, group: String, policy: FeedPolicy = FeedPolicy()
        ) {
            self.backend = backend
            self.group = group
            self.policy = policy
        }
    }

    /// Feeds by name.
    package var feeds: [String: Feed]
    /// Policies by group (`Feed.group`). A group that is absent has the default policy.
    package var backends: [String: BackendPolicy]
    /// The maximum number of concurrent backend calls, of all backends together.
    package var loadsInFlightMax: Int
    /// The maximum size of all cached answers in bytes.
    package var cacheBytesMax: Int
    /// The deadline of a background call, in milliseconds. A background call has no waiters.
    package var loadDeadlineMs: Int

    package init(
        feeds: [String: Feed], backends: [String: BackendPolicy] = [:],
        loadsInFlightMax: Int = 1024, cacheBytesMax: Int = 67_108_864,
        loadDeadlineMs: Int = 30_000
    ) {
        self.feeds = feeds
        self.backends = backends
        self.loadsInFlightMax = loadsInFlightMax
        self.cacheBytesMax = cacheBytesMax
        self.loadDeadlineMs = loadDeadlineMs
    }
}
