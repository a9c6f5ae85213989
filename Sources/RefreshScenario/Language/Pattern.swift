package import RefreshProtocol

/// What a value must look like; without wildcards, a value to send. Source: docs/scenarios.md,
/// "Patterns".
package indirect enum Pattern: Hashable, Sendable {
    /// This very value; of the scalars only.
    case value(JSONValue)
    /// A number within `tolerance` of another.
    case near(Amount, tolerance: Double)
    case compared(Comparison, Amount)
    /// What a sum comes to; in what comes, a number within `nearness` of it.
    case sum(Amount)
    /// A text in which `*` stands for anything.
    case like(String)
    /// Any value, but there must be one.
    case anything
    /// No value.
    case absent
    /// What the variable of that name holds.
    case variable(String)
    /// Any value; the variable holds it from then on.
    case capture(String)
    /// These elements; `isOpen`: and any that follow.
    case array([Pattern], isOpen: Bool)
    /// An array of so many elements.
    case length(Int)
    /// At least these fields.
    case object([Field])

    /// A field that must be there and match.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var pattern: Pattern

        package init(_ name: String, _ pattern: Pattern) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// How a number is compared.
    package enum Comparison: String, Hashable, Sendable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether `number` stands so to `bound`.
        package func holds(_ number: Double, _ bound: Double) -> Bool {
            switch self {
            case .less: number < bound
            case .lessOrEqual: number <= bound
            case .greater: number > bound
            case .greaterOrEqual: number >= bound
            }
        }
    }

    /// The tolerance of `~0.5`.
    package static let nearness = 0.001

    /// A text in short.
    package static func text(_ text: String) -> Pattern { .value(.string(text)) }

    /// What matches this very value, and is it when it is sent.
    package init(_ value: JSONValue) {
        switch value {
        case .array(let elements): self = .array(elements.map(Pattern.init), isOpen: false)
        case .object(let members):
            self = .object(members.map { Field($0.name, Pattern($0.value)) })
        default: self = .value(value)
        }
    }

    /// The pattern of a field; nil if this is no object or has none of that name.
    package subscript(name: String) -> Pattern? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.pattern
    }
}

extension Pattern: CustomStringConvertible {
    /// As it would stand in a file.
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
        case .array(let elements, let isOpen):
            let parts = elements.map(\.description) + (isOpen ? ["..."] : [])
            return "[" + parts.joined(separator: ", ") + "]"
        case .object(let fields):
            let parts = fields.map { "\($0.name): \($0.pattern)" }
            return "{" + parts.joined(separator: ", ") + "}"
        }
    }
}
