import RefreshProtocol
import Synchronization

/// The JSON Schema keywords that the project's schemas use.
enum SchemaKeyword: String, CaseIterable {
    case reference = "$ref"
    case type, `enum`, const
    case anyOf, oneOf, not
    case properties, required, additionalProperties, propertyNames, dependentRequired
    case minProperties, maxProperties
    case items, prefixItems, minItems, maxItems
    case minimum, maximum, exclusiveMinimum
    case minLength, maxLength, pattern

    static let definitionsPrefix = "#/$defs/"
    /// Keywords that do not constrain values.
    private static let notes: Set = [
        "$schema", "$defs", "$comment", "title", "description", "default", "examples",
    ]

    /// Returns whether a value satisfies a keyword that depends only on this value. Nil for other
    /// keywords.
    func holds(for value: JSONValue, _ operand: JSONValue) -> Bool? {
        switch self {
        case .type: return (operand.array ?? [operand]).contains { Self.isType($0, of: value) }
        case .enum: return operand.array?.contains { Self.areEqual($0, value) } ?? false
        case .const: return Self.areEqual(operand, value)
        case .required:
            guard value.isObject else { return true }
            return operand.array?.compactMap(\.string).allSatisfy { value[$0] != nil } ?? true
        case .dependentRequired:
            guard case .object(let members) = operand else { return true }
            return members.allSatisfy { member in
                value[member.name] == nil
                    || member.value.array?.compactMap(\.string).allSatisfy { value[$0] != nil }
                        ?? true
            }
        case .minProperties: return Self.count(value.memberCount, isAtLeast: operand)
        case .maxProperties: return Self.count(value.memberCount, isAtMost: operand)
        case .minItems: return Self.count(value.array?.count, isAtLeast: operand)
        case .maxItems: return Self.count(value.array?.count, isAtMost: operand)
        case .minLength:
            return Self.count(value.string?.unicodeScalars.count, isAtLeast: operand)
        case .maxLength:
            return Self.count(value.string?.unicodeScalars.count, isAtMost: operand)
        case .minimum: return Self.compare(value, operand) { $0 >= $1 }
        case .maximum: return Self.compare(value, operand) { $0 <= $1 }
        case .exclusiveMinimum: return Self.compare(value, operand) { $0 > $1 }
        case .reference, .anyOf, .oneOf, .not, .properties, .additionalProperties, .propertyNames,
            .items, .prefixItems, .pattern:
            return nil
        }
    }

    private static func isType(_ type: JSONValue, of value: JSONValue) -> Bool {
        switch (type.string, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("number", .number),
            ("boolean", .bool), ("null", .null):
            true
        // A number is an `integer` if its value is whole, in any notation.
        case ("integer", .number(let number)): number.rounded() == number
        default: false
        }
    }

    /// Returns whether two values are equal in the sense of JSON Schema. The order of members does
    /// not matter.
    private static func areEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { member in
                    other[member.name].map { areEqual(member.value, $0) } ?? false
                }
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy(areEqual)
        default: one == other
        }
    }

    private static func count(_ count: Int?, isAtLeast bound: JSONValue) -> Bool {
        guard let count, let bound = bound.number else { return true }
        return Double(count) >= bound
    }

    private static func count(_ count: Int?, isAtMost bound: JSONValue) -> Bool {
        guard let count, let bound = bound.number else { return true }
        return Double(count) <= bound
    }

    private static func compare(
        _ value: JSONValue, _ bound: JSONValue, _ holds: (Double, Double) -> Bool
    ) -> Bool {
        guard let number = value.number, let bound = bound.number else { return true }
        return holds(number, bound)
    }
}

extension SchemaKeyword {
    /// Checks that this validator supports all keywords of the schema and of its subschemas.
    /// Collects the patterns of the schema.
    static func check(
        _ schema: JSONValue, definitions: Set<String>,
        patterns: inout [String: SchemaPattern]
    ) throws(SchemaValidator.Unusable) {
        guard case .object(let members) = schema else {
            guard schema.bool == nil else { return }
            throw SchemaValidator.Unusable(reason: "not a schema: \(schema.text.prefix(80))")
        }
        for member in members {
            if member.name == "$defs" {
                try checkEach(in: member.value, definitions, &patterns)
                continue
            }
            if notes.contains(member.name) { continue }
            guard let keyword = SchemaKeyword(rawValue: member.name) else {
                throw SchemaValidator.Unusable(reason: "unknown keyword \(member.name)")
            }
            try keyword.checkOperand(member.value, definitions, &patterns)
        }
    }

    private func checkOperand(
        _ operand: JSONValue, _ definitions: Set<String>,
        _ patterns: inout [String: SchemaPattern]
    ) throws(SchemaValidator.Unusable) {
        switch self {
        case .reference:
            let name = operand.string.flatMap { text in
                text.hasPrefix(Self.definitionsPrefix)
                    ? String(text.dropFirst(Self.definitionsPrefix.count)) : nil
            }
            guard let name, definitions.contains(name) else {
                throw SchemaValidator.Unusable(reason: "unresolved reference \(operand.text)")
            }
        case .pattern:
            guard let text = operand.string, let pattern = SchemaPattern(text) else {
                throw SchemaValidator.Unusable(reason: "invalid pattern: \(operand.text)")
            }
            patterns[text] = pattern
        case .properties: try Self.checkEach(in: operand, definitions, &patterns)
        case .anyOf, .oneOf, .prefixItems:
            for schema in operand.array ?? [] {
                try Self.check(schema, definitions: definitions, patterns: &patterns)
            }
        case .not, .additionalProperties, .propertyNames, .items:
            try Self.check(operand, definitions: definitions, patterns: &patterns)
        default: break
        }
    }

    private static func checkEach(
        in schemas: JSONValue, _ definitions: Set<String>,
        _ patterns: inout [String: SchemaPattern]
    ) throws(SchemaValidator.Unusable) {
        guard case .object(let members) = schemas else { return }
        for member in members {
            try check(member.value, definitions: definitions, patterns: &patterns)
        }
    }
}

extension JSONValue {
    fileprivate var isObject: Bool { memberCount != nil }

    fileprivate var memberCount: Int? {
        guard case .object(let members) = self else { return nil }
        return members.count
    }
}

/// A `pattern` of a JSON Schema. The pattern is compiled only once, because compiling costs more
/// time than matching.
final class SchemaPattern: Sendable {
    private let expression: Mutex<Regex<AnyRegexOutput>>

    /// Returns nil if the text is not a regular expression.
    init?(_ text: String) {
        guard let expression = try? Regex(text) else { return nil }
        // The pattern matches Unicode scalars, so that CR LF counts as two characters.
        self.expression = Mutex(expression.matchingSemantics(.unicodeScalar))
    }

    func isFound(in text: String) -> Bool {
        expression.withLock { text.firstMatch(of: $0) != nil }
    }
}
