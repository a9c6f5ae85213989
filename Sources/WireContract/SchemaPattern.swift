import Synchronization

/// A `pattern` of a JSON Schema. It is compiled once, since that costs more than a match.
final class SchemaPattern: Sendable {
    private let expression: Mutex<Regex<AnyRegexOutput>>

    /// Returns nil if the text is not a regular expression.
    init?(_ text: String) {
        guard let expression = try? Regex(text) else { return nil }
        // Matched by Unicode scalars, as elsewhere, so that CR LF does not count as one character.
        self.expression = Mutex(expression.matchingSemantics(.unicodeScalar))
    }

    func isFound(in text: String) -> Bool {
        expression.withLock { text.firstMatch(of: $0) != nil }
    }
}
