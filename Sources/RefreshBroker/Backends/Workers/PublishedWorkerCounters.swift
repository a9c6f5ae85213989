internal import Synchronization

/// The counters of a worker backend, published by its thread for all others.
final class PublishedWorkerCounters: Sendable {
    private let counters = Mutex(WorkerCounters())

    var value: WorkerCounters {
        get { counters.withLock { $0 } }
        set { counters.withLock { $0 = newValue } }
    }
}
