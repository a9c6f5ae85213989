/// Why a text is no scenario: where, what the grammar wanted there, and what stood there.
package struct ScenarioSyntaxError: Error, Hashable, Sendable {
    package var position: SourcePosition
    package var expected: String
    package var found: String
    /// What was probably meant.
    package var suggestion: String?

    package init(
        at position: SourcePosition, expected: String, found: String, suggestion: String? = nil
    ) {
        self.position = position
        self.expected = expected
        self.found = found
        self.suggestion = suggestion
    }
}

extension ScenarioSyntaxError: CustomStringConvertible {
    package var description: String {
        "\(position): expected \(expected), found \(found)"
            + (suggestion.map { "; did you mean `\($0)`?" } ?? "")
    }
}
