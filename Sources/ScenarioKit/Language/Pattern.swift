package import RefreshProtocol

/// A pattern for the comparison with a received value. A pattern without wildcards can also
/// describe a message to send. Source: docs/scenarios.md, "Patterns".
package indirect enum Pattern: Hashable, Sendable {
    /// Exactly this scalar value.
    case value(JSONValue)
    /// A number whose difference from the amount is at most `tolerance`.
    case near(Amount, tolerance: Double)
    case compared(Comparison, Amount)
    /// The value of a sum. A received number matches if the difference from the sum is at most
    /// `defaultTolerance`.
    case sum(Amount)
    /// A text in which `*` is a wildcard.
    case like(String)
    /// Any value, which must be present.
    case anything
    /// No value: the field must be missing.
    case absent
    /// The value of the variable with this name.
    case variable(String)
    /// Any value, which is stored in the variable.
    case capture(String)
    /// These elements. If `isOpen` is true, other elements may follow.
    case array([Pattern], isOpen: Bool)
    /// An array of this length.
    case length(Int)
    /// A value that matches one of these patterns.
    case either([Pattern])
    /// An object with at least these fields.
    case object([Field])

    /// A field of an object, and the pattern with which its value is compared.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var pattern: Pattern

        package init(_ name: String, _ pattern: Pattern) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// A comparison of numbers.
    package enum Comparison: String, Hashable, Sendable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Returns whether `number` and `bound` satisfy the comparison.
        package func holds(_ number: Double, _ bound: Double) -> Bool {
            switch self {
            case .less: number < bound
            case .lessOrEqual: number <= bound
            case .greater: number > bound
            case .greaterOrEqual: number >= bound
            }
        }
    }

    /// The tolerance of a number that is written with a leading `~`, such as `~0.5`, and of a sum.
    package static let defaultTolerance = 0.001

    /// Returns a pattern that matches exactly this text.
    package static func text(_ text: String) -> Pattern { .value(.string(text)) }

    /// Creates a pattern that matches exactly this value. In a message to send, the pattern has
    /// this value.
    package init(_ value: JSONValue) {
        switch value {
        case .array(let elements): self = .array(elements.map(Pattern.init), isOpen: false)
        case .object(let members):
            self = .object(members.map { Field($0.name, Pattern($0.value)) })
        default: self = .value(value)
        }
    }

    /// The pattern of a field. Nil if this is not an object or has no such field.
    package subscript(name: String) -> Pattern? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.pattern
    }
}

extension Pattern: CustomStringConvertible {
    /// The pattern in the form of the scenario language.
    package var description: String {
        switch self {
        case .value(let value): return value.text
        case .near(let number, let tolerance):
            return "\(number) ~ \(JSONValue.number(tolerance).text)"
        case .compared(let comparison, let bound): return "\(comparison.rawValue)\(bound)"
        case .sum(let amount): return amount.description
        case .like(let text): return "like \(JSONValue.string(text).text)"
        case .anything: return "*"
        case .absent: return "absent"
        case .variable(let name): return "$\(name)"
        case .capture(let name): return "?\(name)"
        case .length(let count): return "length \(count)"
        case .either(let patterns): return patterns.map(\.description).joined(separator: " | ")
        case .array(let elements, let isOpen):
            let parts = elements.map(\.description) + (isOpen ? ["..."] : [])
            return "[" + parts.joined(separator: ", ") + "]"
        case .object(let fields):
            let parts = fields.map { "\($0.name): \($0.pattern)" }
            return "{" + parts.joined(separator: ", ") + "}"
        }
    }
}
