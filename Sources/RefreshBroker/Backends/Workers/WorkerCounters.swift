internal import Synchronization

/// The counters of a worker backend and its current state.
package struct WorkerCounters: Hashable, Sendable {
    /// Connected workers, or running processes, now.
    package var workers = 0
    /// Loads waiting for a worker, now.
    package var waiting = 0
    /// Loads assigned to a worker, now.
    package var running = 0
    /// Workers that joined, or processes that were started, in total.
    package var joined = 0
    /// Answers to loads that were revoked before.
    package var lateAnswers = 0
    /// Loads that were assigned to a second worker because the first worker was lost.
    package var reissued = 0
    /// Workers dismissed because of an invalid message or an overdue answer.
    package var dismissed = 0

    package init() {}
}

/// The counters of a worker backend, published by its thread for all others.
final class PublishedWorkerCounters: Sendable {
    private let counters = Mutex(WorkerCounters())

    var value: WorkerCounters {
        get { counters.withLock { $0 } }
        set { counters.withLock { $0 = newValue } }
    }
}
