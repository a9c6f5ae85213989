/// What the broker works with: the feeds, what stands behind each, and how it treats them.
package struct BrokerPlan: Sendable {
    /// A feed as the broker sees it.
    package struct Feed: Sendable {
        package var backend: any Backend
        /// The key of `backends` whose policy, breaker and calls it shares.
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

    /// By the feed's name.
    package var feeds: [String: Feed]
    /// By group; one that is absent has the defaults.
    package var backends: [String: BackendPolicy]
    /// Backend calls at one time, of all backends together.
    package var loadsInFlightMax: Int
    /// Bytes of all kept answers.
    package var cacheBytesMax: Int
    /// Milliseconds that a call in the background may take, which nobody waits for.
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
