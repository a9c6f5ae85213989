/// The reason why a text is not a scenario: a position, the text that the grammar expects at this
/// position, and the text that was found.
package struct ScenarioSyntaxError: Error, Hashable, Sendable {
    package var position: SourcePosition
    package var expected: String
    package var found: String
    /// The word that was probably meant.
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
