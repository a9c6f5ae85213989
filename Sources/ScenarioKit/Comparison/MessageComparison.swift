package import RefreshProtocol

/// The comparison of a received message, or of a value in it, with the pattern of an expectation.
/// The message can come from a server or from a client. The comparison collects all differences.
package struct MessageComparison {
    private let variables: [String: JSONValue]
    /// The values captured by `?name`. They are captured even if other parts of the message differ,
    /// so use them only if `isMatch` is true.
    package private(set) var captured: [String: JSONValue] = [:]
    package private(set) var mismatches: [Mismatch] = []

    /// Creates a comparison with the values of variables.
    package init(variables: [String: JSONValue] = [:]) { self.variables = variables }

    package var isMatch: Bool { mismatches.isEmpty }

    /// Compares a value with a pattern. A nil value means that the field is missing.
    package mutating func compare(_ value: JSONValue?, with pattern: Pattern, at path: String = "")
    {
        if case .absent = pattern {
            if let value { addMismatch(path, "absent", value) }
            return
        }
        if case .either(let patterns) = pattern { return compareEither(patterns, value, path) }
        guard let value else {
            addMismatch(path, pattern.description, nil)
            return
        }
        switch pattern {
        case .anything, .absent, .either: return
        case .capture(let name): captured[name] = value
        case .variable(let name): compareVariable(name, value, path)
        case .value(let expected):
            if value != expected { addMismatch(path, expected.text, value) }
        case .like, .length:
            if !Self.holds(pattern, value) { addMismatch(path, pattern.description, value) }
        case .near(let amount, let tolerance):
            compareNumber(value, with: amount, path) { number in
                (
                    "\(JSONValue.number(number).text) ~ \(JSONValue.number(tolerance).text)",
                    { abs($0 - number) <= tolerance }
                )
            }
        case .sum(let amount):
            compareNumber(value, with: amount, path) { number in
                (JSONValue.number(number).text, { abs($0 - number) <= Pattern.defaultTolerance })
            }
        case .compared(let comparison, let amount):
            compareNumber(value, with: amount, path) { number in
                (
                    comparison.rawValue + JSONValue.number(number).text,
                    { comparison.holds($0, number) }
                )
            }
        case .array(let elements, let isOpen):
            compareArray(elements, isOpen: isOpen, value, path)
        case .object(let fields):
            guard case .object = value else {
                addMismatch(path, "an object", value)
                return
            }
            for field in fields {
                let inner = path.isEmpty ? field.name : "\(path).\(field.name)"
                compare(value[field.name], with: field.pattern, at: inner)
            }
        }
    }

    /// Compares a value with alternative patterns. The captured values are those of the first
    /// pattern that matches.
    private mutating func compareEither(_ patterns: [Pattern], _ value: JSONValue?, _ path: String)
    {
        for pattern in patterns {
            var attempt = MessageComparison(variables: variables.merging(captured) { $1 })
            attempt.compare(value, with: pattern)
            guard attempt.isMatch else { continue }
            captured.merge(attempt.captured) { $1 }
            return
        }
        addMismatch(path, Pattern.either(patterns).description, value)
    }

    private mutating func compareVariable(_ name: String, _ value: JSONValue, _ path: String) {
        guard let expected = captured[name] ?? variables[name] else {
            addMismatch(path, "$\(name), which has no value yet", value)
            return
        }
        if value != expected { addMismatch(path, expected.text, value) }
    }

    /// Compares a number. `test` is called with the value of `amount`, and returns the text of the
    /// pattern and the condition.
    private mutating func compareNumber(
        _ value: JSONValue, with amount: Amount, _ path: String,
        _ test: (Double) -> (text: String, holds: (Double) -> Bool)
    ) {
        do throws(Amount.NoNumber) {
            let (text, holds) = test(try amount.number(in: variables.merging(captured) { $1 }))
            if value.number.map(holds) != true { addMismatch(path, text, value) }
        } catch {
            addMismatch(path, error.description, value)
        }
    }

    private mutating func compareArray(
        _ patterns: [Pattern], isOpen: Bool, _ value: JSONValue, _ path: String
    ) {
        guard case .array(let elements) = value else {
            addMismatch(path, "an array", value)
            return
        }
        if elements.count < patterns.count || (!isOpen && elements.count > patterns.count) {
            let expected = "\(isOpen ? "at least " : "")\(patterns.count) elements"
            addMismatch(path, expected, value)
            return
        }
        for (index, pattern) in patterns.enumerated() {
            compare(elements[index], with: pattern, at: "\(path)[\(index)]")
        }
    }

    private static func holds(_ pattern: Pattern, _ value: JSONValue) -> Bool {
        switch (pattern, value) {
        case (.like(let form), .string(let text)): Wildcard.matches(text, form: form)
        case (.length(let count), .array(let elements)): elements.count == count
        default: false
        }
    }

    private mutating func addMismatch(_ path: String, _ expected: String, _ value: JSONValue?) {
        mismatches.append(
            Mismatch(
                path: path, expected: expected, came: value?.text ?? "nothing"))
    }
}
