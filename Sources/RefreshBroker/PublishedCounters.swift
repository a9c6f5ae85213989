internal import Synchronization

/// The broker's numbers as its thread last left them, for other threads to read.
final class PublishedCounters: Sendable {
    private let counters = Mutex(BrokerCounters())

    var value: BrokerCounters { counters.withLock { $0 } }

    /// Of the broker's thread alone.
    func update(_ change: (inout BrokerCounters) -> Void) {
        counters.withLock { counters in change(&counters) }
    }
}
