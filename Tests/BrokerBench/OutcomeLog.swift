package import RefreshBroker
internal import Synchronization
internal import Testing

/// A log of the outcomes that a broker delivers. A second outcome for a waiter fails the test.
package final class OutcomeLog: Sendable {
    private let outcomes = Mutex<[Int: LoadOutcome]>([:])

    /// Creates an empty log.
    package init() {}

    /// The outcomes so far, by waiter.
    package var all: [Int: LoadOutcome] { outcomes.withLock { $0 } }

    /// The function to which the broker delivers its events.
    package var deliver: @Sendable ([Int], LoadEvent) -> Void {
        { waiters, event in
            guard case .ended(let outcome) = event else { return }
            for waiter in waiters {
                let earlier = self.outcomes.withLock { $0.updateValue(outcome, forKey: waiter) }
                if earlier != nil { Issue.record("a second outcome for \(waiter)") }
            }
        }
    }
}
