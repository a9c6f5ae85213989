/// The broker's numbers for the metrics page.
package struct BrokerCounters: Hashable, Sendable {
    /// By feed name; feeds nobody asked for are absent.
    package var feeds: [String: FeedTally] = [:]
    /// Answers to calls that nobody waited for any more; they were dropped.
    package var late = 0
    /// Backend calls that have not returned, with the abandoned ones.
    package var callsInFlight = 0
    /// Waiters without an outcome yet.
    package var waiters = 0

    package init() {}
}
