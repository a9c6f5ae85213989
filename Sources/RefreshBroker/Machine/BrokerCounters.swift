/// The broker's numbers for the metrics page.
package struct BrokerCounters: Hashable, Sendable {
    /// By feed name; feeds nobody asked for are absent.
    package var feeds: [String: FeedTally] = [:]
    /// By group, that is by the name that feeds share a policy under; all that are configured.
    package var backends: [String: BackendTally] = [:]
    /// Answers to calls that nobody waited for any more; they were dropped.
    package var late = 0
    /// Progress of calls that nobody waited for any more; it was dropped.
    package var lateProgress = 0
    /// Backend calls that have not returned, with the abandoned ones.
    package var callsInFlight = 0
    /// Waiters without an outcome yet.
    package var waiters = 0
    /// Requests that something is kept of.
    package var cacheEntries = 0
    /// Bytes of all that is kept.
    package var cacheBytes = 0

    package init() {}
}
