/// The broker's counters for the metrics page.
package struct BrokerCounters: Hashable, Sendable {
    /// Counters by feed name. Feeds without any request are absent.
    package var feeds: [String: FeedTally] = [:]
    /// Counters by group. Feeds with the same group share a policy. All configured groups are
    /// present.
    package var backends: [String: BackendTally] = [:]
    /// Answers that no load awaited. They were dropped.
    package var lateAnswers = 0
    /// Progress reports that no load awaited. They were dropped.
    package var lateProgress = 0
    /// Backend calls that have not returned, including abandoned ones.
    package var callsInFlight = 0
    /// Waiters without an outcome yet.
    package var waiters = 0
    /// Requests with a cached page or failure.
    package var cacheEntries = 0
    /// The size of all cached answers in bytes.
    package var cacheBytes = 0

    package init() {}
}
