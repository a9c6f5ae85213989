/// The part of a `BrokerPlan` that the state machine `LoadBroker` needs: everything except the
/// backends themselves.
package struct BrokerRules: Hashable, Sendable {
    package struct Feed: Hashable, Sendable {
        package var group: String
        package var policy: FeedPolicy

        package init(group: String, policy: FeedPolicy = FeedPolicy()) {
            self.group = group
            self.policy = policy
        }
    }

    /// Feeds by name.
    package var feeds: [String: Feed]
    /// Policies by group (`Feed.group`). A group that is absent has the default policy.
    package var backends: [String: BackendPolicy]
    package var loadsInFlightMax = 1024
    package var cacheBytesMax = 67_108_864
    package var loadDeadlineMs = 30_000

    package init(feeds: [String: Feed], backends: [String: BackendPolicy] = [:]) {
        self.feeds = feeds
        self.backends = backends
    }

    package init(_ plan: BrokerPlan) {
        self.init(
            feeds: plan.feeds.mapValues { Feed(group: $0.group, policy: $0.policy) },
            backends: plan.backends)
        loadsInFlightMax = plan.loadsInFlightMax
        cacheBytesMax = plan.cacheBytesMax
        loadDeadlineMs = plan.loadDeadlineMs
    }
}
