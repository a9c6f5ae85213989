package import RefreshProtocol

/// Holds JSON values to a JSON Schema. It knows the part of 2020-12 that the project's own schemas
/// use, and takes no schema that uses more. Source: JSON Schema 2020-12, core and validation.
package struct SchemaValidator: Sendable {
    /// Where a value is not what the schema says, and why.
    package struct Mismatch: Hashable, Sendable, CustomStringConvertible {
        /// As a JSON pointer; empty for the whole value.
        package var path: String
        package var reason: String

        package var description: String { "\(path.isEmpty ? "the value" : path): \(reason)" }
    }

    /// A schema that cannot be used.
    package struct Unusable: Error, Hashable, Sendable {
        package let reason: String
    }

    /// Why a value is refused where none is allowed.
    private static let excluded = "nothing may stand here"

    let root: JSONValue
    let definitions: [String: JSONValue]

    /// - Throws: where the schema has a keyword that is not known, or refers to what is not there.
    package init(_ schema: JSONValue) throws(Unusable) {
        root = schema
        var definitions: [String: JSONValue] = [:]
        if case .object(let members) = schema["$defs"] {
            for member in members { definitions[member.name] = member.value }
        }
        self.definitions = definitions
        try SchemaKeyword.check(schema, definitions: Set(definitions.keys))
    }

    /// Where the value is not what the schema says; nil: it is.
    package func mismatch(in value: JSONValue) -> Mismatch? { mismatch(in: value, root, at: "") }

    /// The same by one of the definitions.
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
            return holds
                ? nil
                : Mismatch(path: path, reason: "\(keyword.rawValue) \(operand.text.prefix(200))")
        }
        switch keyword {
        case .reference:
            let name = operand.string?.dropFirst(SchemaKeyword.definitionsPrefix.count)
            guard let definition = name.flatMap({ definitions[String($0)] }) else { return nil }
            return mismatch(in: value, definition, at: path)
        case .anyOf, .oneOf:
            return alternatives(value, keyword, operand.array ?? [], at: path)
        case .not:
            return mismatch(in: value, operand, at: path) == nil
                ? Mismatch(path: path, reason: "is what it may not be") : nil
        case .properties, .additionalProperties, .propertyNames:
            guard case .object(let members) = value else { return nil }
            return mismatch(ofMembers: members, keyword, operand, of: schema, at: path)
        case .items, .prefixItems:
            guard case .array(let values) = value else { return nil }
            return mismatch(ofItems: values, keyword, operand, of: schema, at: path)
        default: return nil
        }
    }

    private func alternatives(
        _ value: JSONValue, _ keyword: SchemaKeyword, _ schemas: [JSONValue], at path: String
    ) -> Mismatch? {
        let mismatches = schemas.map { mismatch(in: value, $0, at: path) }
        let fitting = mismatches.count { $0 == nil }
        if fitting == 1 || (fitting > 1 && keyword == .anyOf) { return nil }
        guard fitting == 0 else { return Mismatch(path: path, reason: "fits more than one form") }
        return mismatches.compactMap(\.self).max { Self.tells($0) < Self.tells($1) }
            ?? Mismatch(path: path, reason: "fits no form")
    }

    /// How well a form's mismatch says what is wrong. A form with another constant was not meant;
    /// of the others the one that went farthest was; that a member is of another form says less
    /// than what is wrong with it there.
    private static func tells(_ mismatch: Mismatch) -> (Int, Int, Int) {
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
