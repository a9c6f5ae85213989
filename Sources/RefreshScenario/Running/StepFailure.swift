/// Why a step did not hold.
package struct StepFailure: Error, Hashable, Sendable {
    package var expected: String
    /// What came instead: of several messages the nearest.
    package var came: String
    /// Where the nearest differs.
    package var mismatches: [Mismatch]

    package init(expected: String, came: String, mismatches: [Mismatch] = []) {
        self.expected = expected
        self.came = came
        self.mismatches = mismatches
    }
}
