internal import Foundation
package import Testing

/// How many times as long as usual tests wait for what has to come; from 1 on.
///
/// Under a sanitizer everything is several times as slow: `scripts/test --sanitize` sets
/// `TEST_PATIENCE`.
package let patience = max(Int(ProcessInfo.processInfo.environment["TEST_PATIENCE"] ?? "") ?? 1, 1)

extension Duration {
    /// How long to wait at most for what has to come: so many seconds on a machine as it should be.
    package static func patient(_ seconds: Int) -> Duration { .seconds(seconds * patience) }
}

extension Trait where Self == TimeLimitTrait {
    /// A test that takes longer hangs; minutes on a machine as it should be.
    package static func limit(minutes: Int) -> Self { .timeLimit(.minutes(minutes * patience)) }
}
