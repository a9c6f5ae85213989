import RefreshProtocol

/// Conversion of shapes to JSON Schema. Source: JSON Schema 2020-12.
extension Shape {
    func schema(_ style: SchemaStyle) -> JSONValue {
        switch self {
        case .anything: .object([])
        case .flag: Self.typed("boolean")
        case .number(let bounds): bounds.schema(style)
        case .text(let bounds): bounds.schema
        case .word(let words):
            JSONValue.object([.init("enum", .array(words.map(JSONValue.string)))])
        case .constant(let value): JSONValue.object([.init("const", value)])
        case .list(let shape, let count):
            Self.typed(
                "array",
                [.init("items", shape.schema(style))]
                    + Self.bound("minItems", count.lowerBound, unless: 0)
                    + Self.bound("maxItems", count.upperBound, unless: Int.max))
        case .tuple(let shapes): Self.tuple(shapes.map { $0.schema(style) }, style)
        case .object(let fields): Self.object(fields, style)
        case .named(let shape, let names):
            Self.typed(
                "object",
                [.init("additionalProperties", shape.schema(style))]
                    + (names.map { pattern in
                        [.init("propertyNames", .object([.init("pattern", .string(pattern))]))]
                    } ?? []))
        case .either(let shapes):
            JSONValue.object([.init("anyOf", .array(shapes.map { $0.schema(style) }))])
        case .absent: .bool(false)
        case .reference(let name):
            JSONValue.object([.init("$ref", .string(style.definitions + name))])
        }
    }

    private static func object(_ fields: [ShapeField], _ style: SchemaStyle) -> JSONValue {
        var members: [JSONValue.Member] = []
        if !fields.isEmpty {
            members.append(.init("properties", .object(fields.map { $0.member(style) })))
        }
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        if style.isClosed { members.append(.init("additionalProperties", .bool(false))) }
        return typed("object", members)
    }

    private static func tuple(_ schemas: [JSONValue], _ style: SchemaStyle) -> JSONValue {
        typed(
            "array",
            [
                .init(style.isAsyncAPI ? "items" : "prefixItems", .array(schemas)),
                .init(style.isAsyncAPI ? "additionalItems" : "items", .bool(false)),
                .init("minItems", .number(Double(schemas.count))),
            ])
    }

    private static func typed(_ type: String, _ members: [JSONValue.Member] = []) -> JSONValue {
        .object([.init("type", .string(type))] + members)
    }

    private static func bound(
        _ name: String, _ value: Int, unless absent: Int
    ) -> [JSONValue.Member] {
        value == absent ? [] : [.init(name, .number(Double(value)))]
    }
}

extension ShapeField {
    /// Returns the field as a property of a schema. The description precedes the constraints.
    fileprivate func member(_ style: SchemaStyle) -> JSONValue.Member {
        let schema = shape.schema(style)
        guard let meaning, case .object(let members) = schema else { return .init(name, schema) }
        return .init(name, .object([.init("description", .string(meaning))] + members))
    }
}

extension Shape.NumberBounds {
    fileprivate func schema(_ style: SchemaStyle) -> JSONValue {
        var members: [JSONValue.Member] = [.init("type", .string(isWhole ? "integer" : "number"))]
        let bound = limit.flatMap { style.limits?[$0] }.map { Double($0) }
        if let least = least ?? bound.map({ -$0 }), above == nil {
            members.append(.init("minimum", .number(least)))
        }
        if let above { members.append(.init("exclusiveMinimum", .number(above))) }
        if let most = most ?? bound { members.append(.init("maximum", .number(most))) }
        if let limit, bound == nil {
            members.append(
                .init("$comment", .string("bounded by the limit \(limit) of welcome")))
        }
        return .object(members)
    }
}

extension Shape.TextBounds {
    fileprivate var schema: JSONValue {
        var members: [JSONValue.Member] = [.init("type", .string("string"))]
        if let least { members.append(.init("minLength", .number(Double(least)))) }
        if let most { members.append(.init("maxLength", .number(Double(most)))) }
        if let pattern { members.append(.init("pattern", .string(pattern))) }
        return .object(members)
    }
}
