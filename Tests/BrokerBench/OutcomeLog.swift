import RefreshBroker
import Synchronization
import Testing
import Workbench

/// A log of the outcomes that a broker delivers. A second outcome for a waiter fails the test.
final class OutcomeLog: Sendable {
    private let outcomes = Mutex<[Int: LoadOutcome]>([:])

    var all: [Int: LoadOutcome] { outcomes.withLock { $0 } }

    var deliver: @Sendable ([Int], LoadEvent) -> Void {
        { waiters, event in
            guard case .ended(let outcome) = event else { return }
            for waiter in waiters {
                let earlier = self.outcomes.withLock { $0.updateValue(outcome, forKey: waiter) }
                if earlier != nil { Issue.record("a second outcome for \(waiter)") }
            }
        }
    }
}

/// Waits until another thread makes `condition` true. The test fails after a minute times the
/// configured patience.
func eventually(
    _ expectation: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) async {
    let clock = ContinuousClock()
    let end = clock.now + .patient
    while clock.now < end {
        if condition() { return }
        try? await Task.sleep(for: .milliseconds(1))
    }
    #expect(condition(), expectation, sourceLocation: sourceLocation)
}
