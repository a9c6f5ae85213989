internal import Synchronization

/// The broker's numbers as its thread last left them, for other threads to read.
final class PublishedCounters: Sendable {
    private let counters = Mutex(BrokerCounters())

    var value: BrokerCounters {
        get { counters.withLock { $0 } }
        set { counters.withLock { $0 = newValue } }
    }
}
