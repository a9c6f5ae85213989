internal import Foundation

/// The number of cases that a test tries. It is `usual` in `scripts/test`, whose part `unit` may
/// take two minutes. It is `whole` with `TEST_DEPTH=long`, which `scripts/test --long` sets.
package func depth<Count: BinaryInteger>(_ usual: Count, whole: Count) -> Count {
    ProcessInfo.processInfo.environment["TEST_DEPTH"] == "long" ? whole : usual
}
