package import RefreshProtocol

/// Validates JSON values against a JSON Schema. It supports only the keywords of 2020-12 that the
/// project's own schemas use, and rejects schemas with other keywords. Source: JSON Schema 2020-12,
/// core and validation.
package struct SchemaValidator: Sendable {
    /// The place where a value violates the schema, and the reason.
    package struct Mismatch: Hashable, Sendable, CustomStringConvertible {
        /// The place as a JSON pointer. Empty for the whole value.
        package var path: String
        package var reason: String

        package var description: String { "\(path.isEmpty ? "the value" : path): \(reason)" }
    }

    /// A schema that cannot be used.
    package struct Unusable: Error, Hashable, Sendable {
        package let reason: String
    }

    /// The reason that is reported for a value at a place where the schema allows no value.
    private static let excluded = "is not allowed here"

    let root: JSONValue
    let definitions: [String: JSONValue]
    private let patterns: [String: SchemaPattern]

    /// Creates a validator for a schema.
    ///
    /// - Throws: if the schema has an unknown keyword or an unresolved reference.
    package init(_ schema: JSONValue) throws(Unusable) {
        root = schema
        var definitions: [String: JSONValue] = [:]
        if case .object(let members) = schema["$defs"] {
            for member in members { definitions[member.name] = member.value }
        }
        self.definitions = definitions
        var patterns: [String: SchemaPattern] = [:]
        try SchemaKeyword.check(
            schema, definitions: Set(definitions.keys), patterns: &patterns)
        self.patterns = patterns
    }

    /// Returns the first violation of the schema; nil if the value is valid.
    package func mismatch(in value: JSONValue) -> Mismatch? { mismatch(in: value, root, at: "") }

    /// Returns the first violation of the definition `name`. Nil if the value is valid.
    package func mismatch(in value: JSONValue, definition name: String) -> Mismatch? {
        guard let schema = definitions[name] else {
            return Mismatch(path: "", reason: "there is no definition of \(name)")
        }
        return mismatch(in: value, schema, at: "")
    }

    func mismatch(
        in value: JSONValue, _ schema: JSONValue, at path: String
    ) -> Mismatch? {
        switch schema {
        case .bool(true): return nil
        case .object(let members):
            for member in members {
                guard let keyword = SchemaKeyword(rawValue: member.name) else { continue }
                if let mismatch = mismatch(in: value, keyword, member.value, of: schema, at: path) {
                    return mismatch
                }
            }
            return nil
        default: return Mismatch(path: path, reason: Self.excluded)
        }
    }

    private func mismatch(
        in value: JSONValue, _ keyword: SchemaKeyword, _ operand: JSONValue, of schema: JSONValue,
        at path: String
    ) -> Mismatch? {
        if let holds = keyword.holds(for: value, operand) {
            return holds ? nil : Self.violation(of: keyword, operand, at: path)
        }
        switch keyword {
        case .reference:
            let name = operand.string?.dropFirst(SchemaKeyword.definitionsPrefix.count)
            guard let definition = name.flatMap({ definitions[String($0)] }) else { return nil }
            return mismatch(in: value, definition, at: path)
        case .pattern:
            guard let text = value.string,
                let expression = operand.string.flatMap({ patterns[$0] }),
                !expression.isFound(in: text)
            else { return nil }
            return Self.violation(of: keyword, operand, at: path)
        case .anyOf, .oneOf:
            return mismatchOfAlternatives(value, keyword, operand.array ?? [], at: path)
        case .not:
            return mismatch(in: value, operand, at: path) == nil
                ? Mismatch(path: path, reason: "matches a schema that it must not match") : nil
        case .properties, .additionalProperties, .propertyNames:
            guard case .object(let members) = value else { return nil }
            return mismatch(ofMembers: members, keyword, operand, of: schema, at: path)
        case .items, .prefixItems:
            guard case .array(let values) = value else { return nil }
            return mismatch(ofItems: values, keyword, operand, of: schema, at: path)
        default: return nil
        }
    }

    private static func violation(
        of keyword: SchemaKeyword, _ operand: JSONValue, at path: String
    ) -> Mismatch {
        Mismatch(path: path, reason: "\(keyword.rawValue) \(operand.text.prefix(200))")
    }

    private func mismatchOfAlternatives(
        _ value: JSONValue, _ keyword: SchemaKeyword, _ schemas: [JSONValue], at path: String
    ) -> Mismatch? {
        let mismatches = schemas.map { mismatch(in: value, $0, at: path) }
        let fitting = mismatches.count { $0 == nil }
        if fitting == 1 || (fitting > 1 && keyword == .anyOf) { return nil }
        guard fitting == 0 else {
            return Mismatch(path: path, reason: "matches more than one alternative")
        }
        return mismatches.compactMap(\.self).max {
            Self.explanatoryRank($0) < Self.explanatoryRank($1)
        }
            ?? Mismatch(path: path, reason: "matches no alternative")
    }

    /// Returns the rank of a mismatch between a message and one form of it. The mismatch with the
    /// highest rank explains the error best. The rank is low if a constant differs, because the
    /// message then has another form. Among the remaining forms, a deeper mismatch has a higher
    /// rank. An extra member of another form has a lower rank than an error inside a member.
    private static func explanatoryRank(_ mismatch: Mismatch) -> (Int, Int, Int) {
        (
            mismatch.reason.hasPrefix(SchemaKeyword.const.rawValue) ? 0 : 1,
            mismatch.path.utf8.count, mismatch.reason == excluded ? 0 : 1
        )
    }

    private func mismatch(
        ofMembers members: [JSONValue.Member], _ keyword: SchemaKeyword, _ operand: JSONValue,
        of schema: JSONValue, at path: String
    ) -> Mismatch? {
        for member in members {
            let place = "\(path)/\(member.name)"
            let found: Mismatch? =
                switch keyword {
                case .properties:
                    operand[member.name].flatMap { mismatch(in: member.value, $0, at: place) }
                case .propertyNames:
                    mismatch(in: .string(member.name), operand, at: place)
                default:
                    schema["properties"]?[member.name] == nil
                        ? mismatch(in: member.value, operand, at: place) : nil
                }
            if let found { return found }
        }
        return nil
    }

    private func mismatch(
        ofItems values: [JSONValue], _ keyword: SchemaKeyword, _ operand: JSONValue,
        of schema: JSONValue, at path: String
    ) -> Mismatch? {
        let first = schema["prefixItems"]?.array ?? []
        for (index, value) in values.enumerated() {
            let isFirst = index < first.count
            guard isFirst == (keyword == .prefixItems) else { continue }
            let found = mismatch(
                in: value, isFirst ? first[index] : operand, at: "\(path)/\(index)")
            if let found { return found }
        }
        return nil
    }
}
