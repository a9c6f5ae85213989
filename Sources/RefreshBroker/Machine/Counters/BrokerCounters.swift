/// The broker's counters for the metrics page.
package struct BrokerCounters: Hashable, Sendable {
    /// Counters by feed name. Feeds without any request are absent.
    package var feeds: [String: FeedTally] = [:]
    /// The number of ended edits by feed and result. Feeds without any edit are absent.
    package var edits: [String: [EditResult: Int]] = [:]
    /// Counters by group. Feeds with the same group share a policy. All configured groups are
    /// present.
    package var backends: [String: BackendTally] = [:]
    /// The number of answers that were dropped because no load waited for them.
    package var lateAnswers = 0
    /// The number of progress reports that were dropped because no load waited for them.
    package var lateProgress = 0
    /// The number of events of other nodes that were dropped because this node did not ask for the
    /// load any more.
    package var lateOwnerEvents = 0
    /// The number of backend calls that have not returned, including abandoned calls.
    package var callsInFlight = 0
    /// The number of loads for which another node is asked now.
    package var asksInFlight = 0
    /// The number of waiters (sessions' loads) that do not have an outcome yet.
    package var waiters = 0
    /// The number of requests for which a page or a failure is cached.
    package var cacheEntries = 0
    /// The size of all cached answers in bytes.
    package var cacheBytes = 0

    package init() {}
}
