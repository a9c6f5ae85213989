internal import Synchronization

/// The counters of a backend of workers, from its thread to any other.
final class PublishedWorkerCounters: Sendable {
    private let counters = Mutex(WorkerCounters())

    var value: WorkerCounters {
        get { counters.withLock { $0 } }
        set { counters.withLock { $0 = newValue } }
    }
}
