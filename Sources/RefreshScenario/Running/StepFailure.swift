/// Why a step did not hold.
package struct StepFailure: Error, Hashable, Sendable {
    package var expected: String
    /// What came instead: of several messages the nearest.
    package var came: String
    /// Where the nearest differs.
    package var mismatches: [Mismatch]
    /// The step as it is written, where that is known.
    package var step: String?

    package init(
        expected: String, came: String, mismatches: [Mismatch] = [], step: String? = nil
    ) {
        self.expected = expected
        self.came = came
        self.mismatches = mismatches
        self.step = step
    }
}
