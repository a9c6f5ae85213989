internal import Foundation
package import Testing

/// The factor by which tests wait longer than usual. It is at least 1.
///
/// Under a sanitizer, all code is several times slower. `scripts/test --sanitize` therefore sets
/// `TEST_PATIENCE`.
package let patience = max(Int(ProcessInfo.processInfo.environment["TEST_PATIENCE"] ?? "") ?? 1, 1)

extension Duration {
    /// The maximum time to wait for an expected event. Only a hang takes this long.
    package static var patient: Duration { .seconds(60 * patience) }
}

extension Trait where Self == TimeLimitTrait {
    /// A test that takes longer than this is treated as hung, and fails.
    package static var limit: Self { .timeLimit(.minutes(10 * patience)) }
}

/// Waits until another thread makes `condition` true. Returns false if it is not true within a
/// minute (see `patience`).
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

/// Waits until another thread makes `condition` true. The test fails after a minute times the
/// configured patience.
package func eventually(
    _ expectation: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) async {
    let isTrue = await becomesTrue(condition)
    #expect(isTrue, expectation, sourceLocation: sourceLocation)
}
