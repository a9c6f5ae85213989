internal import RefreshProtocol

/// The JSON Schema of the configuration file, for editors. Source: JSON Schema 2020-12.
///
/// The schema is generated from `ConfigurationShape`. It does not contain rules that concern
/// several keys. The daemon checks these rules when it reads a file.
package enum ConfigurationSchema {
    /// The schema, in lines, with a final line break.
    package static var text: String {
        var members = [
            (name: "$schema", value: Schema.text("https://json-schema.org/draft/2020-12/schema")),
            (name: "title", value: .text("Configuration of refreshd")),
            // A file may be empty.
            (name: "type", value: .list([.text("object"), .text("null")])),
        ]
        if case .object(let table) = schema(of: .table(ConfigurationShape.keys)) {
            members += table.filter { $0.name != "type" }
        }
        return Schema.object(members).text(indent: 0) + "\n"
    }

    private static func schema(of key: SettingsKey) -> Schema {
        guard case .object(var members) = schema(of: key.shape) else {
            return schema(of: key.shape)
        }
        if let standard = key.standard { members.insert(("default", .word(standard)), at: 0) }
        if let meaning = key.meaning { members.insert(("description", .text(meaning)), at: 0) }
        return .object(members)
    }

    private static func schema(of shape: SettingsShape) -> Schema {
        switch shape {
        case .integer(let range):
            .object([
                ("type", .text("integer")), ("minimum", .number(range.lowerBound.description)),
                ("maximum", .number(range.upperBound.description)),
            ])
        case .number(let range):
            .object([
                ("type", .text("number")), ("minimum", .number(range.lowerBound.description)),
                ("maximum", .number(range.upperBound.description)),
            ])
        case .boolean: .object([("type", .text("boolean"))])
        case .text(let pattern):
            .object(
                [("type", .text("string")), ("minLength", .number("1"))]
                    + (pattern.map { [("pattern", .text($0))] } ?? []))
        case .choice(let words): .object([("enum", .list(words.map { .text($0) }))])
        case .list(let item, let orOne, let isNeverEmpty):
            list(of: schema(of: item), orOne: orOne, isNeverEmpty: isNeverEmpty)
        case .table(let keys): table(keys)
        case .named(let value, let pattern):
            .object(
                [("type", .text("object")), ("additionalProperties", schema(of: value))]
                    + (pattern.map {
                        [("propertyNames", .object([("pattern", .text($0))]))]
                    } ?? []))
        case .either(let shapes): .object([("anyOf", .list(shapes.map { schema(of: $0) }))])
        case .json: .object([])
        }
    }

    private static func list(of item: Schema, orOne: Bool, isNeverEmpty: Bool) -> Schema {
        var members: [Schema.Member] = [("type", .text("array")), ("items", item)]
        if isNeverEmpty { members.append(("minItems", .number("1"))) }
        return orOne ? .object([("anyOf", .list([item, .object(members)]))]) : .object(members)
    }

    private static func table(_ keys: [SettingsKey]) -> Schema {
        var members: [Schema.Member] = [("type", .text("object"))]
        members.append(("properties", .object(keys.map { ($0.name, schema(of: $0)) })))
        let required = keys.filter(\.isRequired)
        if !required.isEmpty {
            members.append(("required", .list(required.map { .text($0.name) })))
        }
        members.append(("additionalProperties", .word("false")))
        return .object(members)
    }
}

/// JSON whose members keep their order.
private indirect enum Schema {
    typealias Member = (name: String, value: Schema)

    case object([Member])
    case list([Schema])
    case text(String)
    case number(String)
    case word(String)

    func text(indent: Int) -> String {
        let margin = String(repeating: "  ", count: indent)
        switch self {
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let lines = members.map {
                "\(margin)  \(YAMLText.quoted($0.name)): \($0.value.text(indent: indent + 1))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        case .list(let items):
            return "[" + items.map { $0.text(indent: indent) }.joined(separator: ", ") + "]"
        case .text(let text): return YAMLText.quoted(text)
        case .number(let text), .word(let text): return text
        }
    }
}
