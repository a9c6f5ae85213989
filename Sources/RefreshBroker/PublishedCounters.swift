internal import Synchronization

/// The broker's counters as last updated by its thread, readable from other threads.
final class PublishedCounters: Sendable {
    private let counters = Mutex(BrokerCounters())

    var value: BrokerCounters { counters.withLock { $0 } }

    /// Updates the counters. Only the broker's thread may call this.
    func update(_ change: (inout BrokerCounters) -> Void) {
        counters.withLock { counters in change(&counters) }
    }
}
