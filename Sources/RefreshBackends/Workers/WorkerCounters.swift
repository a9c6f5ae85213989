internal import Synchronization

/// The counters of a worker backend and its current state.
package struct WorkerCounters: Hashable, Sendable {
    /// The number of workers that are connected, or of processes that are running, now.
    package var workers = 0
    /// The number of loads that are waiting for a worker now.
    package var waiting = 0
    /// The number of loads that are assigned to a worker now.
    package var running = 0
    /// The total number of workers that joined, or of processes that were started.
    package var joined = 0
    /// The number of answers to loads that had been revoked, or had ended, before the answer.
    package var lateAnswers = 0
    /// The number of loads that were queued again because their first worker was lost.
    package var reissued = 0
    /// The number of workers that were dismissed because of an invalid message or an overdue
    /// answer.
    package var dismissed = 0
    /// The number of ended offers of loads to workers on the message bus, by what followed.
    package var offers: [OfferResult: Int] = [:]
    /// The number of messages of workers on the message bus that were dropped.
    package var droppedBusMessages = 0

    package init() {}
}

/// What followed an offer of a load to the workers on the message bus. The raw value is the label
/// in the metrics.
package enum OfferResult: String, CaseIterable, Sendable {
    /// A worker has taken the load.
    case taken
    /// No worker has received the offer.
    case noWorker
    /// No worker took the load in time.
    case silent
    /// The worker that had taken the load was silent for too long.
    case lost
}

/// The counters of a backend with workers, and the feeds of its connected workers. The workers'
/// thread publishes them, and any thread may read them.
final class PublishedWorkerCounters: Sendable {
    private let counters = Mutex(WorkerCounters())
    private let connectedFeeds = Mutex(Set<String>())

    var value: WorkerCounters {
        get { counters.withLock { $0 } }
        set { counters.withLock { $0 = newValue } }
    }

    /// The feeds for which at least one worker is connected.
    var feeds: Set<String> {
        get { connectedFeeds.withLock { $0 } }
        set { connectedFeeds.withLock { $0 = newValue } }
    }
}
