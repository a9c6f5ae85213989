internal import Foundation
package import Testing

/// How many times as long as usual tests wait for what has to come; from 1 on.
///
/// Under a sanitizer everything is several times as slow: `scripts/test --sanitize` sets
/// `TEST_PATIENCE`.
package let patience = max(Int(ProcessInfo.processInfo.environment["TEST_PATIENCE"] ?? "") ?? 1, 1)

extension Duration {
    /// How long to wait at most for what has to come: only a hang lasts so long.
    package static var patient: Duration { .seconds(60 * patience) }
}

extension Trait where Self == TimeLimitTrait {
    /// A test that takes longer hangs.
    package static var limit: Self { .timeLimit(.minutes(10 * patience)) }
}

/// Waits for another thread to make `condition` true; false if it has not within a minute (see
/// `patience`).
package func becomesTrue(
    within time: Duration = .patient, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    while clock.now < end {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return try condition()
}
