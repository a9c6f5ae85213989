internal import Foundation

/// How many of something a search goes through: `usual` in the unit part, which has two minutes,
/// and `whole` with `TEST_DEPTH=long`, as `scripts/test --long` has it.
package func depth<Count: BinaryInteger>(_ usual: Count, whole: Count) -> Count {
    ProcessInfo.processInfo.environment["TEST_DEPTH"] == "long" ? whole : usual
}
