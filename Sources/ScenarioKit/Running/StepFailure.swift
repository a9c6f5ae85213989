/// The reason why a step failed.
package struct StepFailure: Error, Hashable, Sendable {
    package var expected: String
    /// The value that was received instead of the expected one. If several messages were received,
    /// this is the message that differs least from the expected one.
    package var came: String
    /// The differences between the received message and the expected one.
    package var mismatches: [Mismatch]
    /// The step as written, if known.
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

/// One place where a value does not match a pattern.
package struct Mismatch: Hashable, Sendable {
    /// The path of the value, such as `top.state` or `items[2].name`. Empty for the whole value.
    package var path: String
    package var expected: String
    package var came: String
}

extension Mismatch: CustomStringConvertible {
    package var description: String {
        "\(path.isEmpty ? "the message" : path): expected \(expected), found \(came)"
    }
}
