internal import RefreshProtocol
internal import ScenarioKit

/// Writes values in the form of the scenario language, in which texts of one word need no quotes.
/// Source: docs/scenarios.md, "Values".
enum ScenarioText {
    /// Returns a value.
    static func value(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): word(text)
        case .array(let elements): "[" + elements.map(Self.value).joined(separator: ", ") + "]"
        case .object(let members): object(members)
        default: value.text
        }
    }

    /// Returns a pattern.
    static func pattern(_ pattern: Pattern) -> String {
        switch pattern {
        case .value(let value): self.value(value)
        case .object(let fields):
            "{"
                + fields.map { "\(name($0.name)): \(self.pattern($0.pattern))" }
                .joined(separator: ", ") + "}"
        case .array(let elements, false):
            "[" + elements.map(self.pattern).joined(separator: ", ") + "]"
        default: pattern.description
        }
    }

    /// Returns an object with these members.
    static func object(_ members: [JSONValue.Member]) -> String {
        "{" + members.map { "\(name($0.name)): \(value($0.value))" }.joined(separator: ", ") + "}"
    }

    /// Returns the name of a member, in quotes if it needs them.
    static func name(_ name: String) -> String {
        isWord(name) ? name : JSONValue.string(name).text
    }

    /// Returns the text, in quotes if it needs them.
    static func word(_ text: String) -> String {
        isWord(text) && !reserved.contains(text) ? text : JSONValue.string(text).text
    }

    /// Returns a time of a whole number of milliseconds.
    static func time(_ ms: Int) -> String { ms % 1000 == 0 ? "\(ms / 1000)s" : "\(ms)ms" }

    /// Returns the text without characters that cannot be in a line of a scenario, shortened.
    static func line(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(60).map { scalar in
                (0x20..<0x7F).contains(scalar.value) ? Character(scalar) : "?"
            })
    }

    /// Words with another meaning than a text, or at the end of a step.
    private static let reserved: Set = [
        "true", "false", "null", "absent", "like", "length", "limit", "within", "and", "for",
    ]

    private static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}
