package import RefreshProtocol

extension Contract {
    /// The JSON Schema of all messages, as a document. Source: JSON Schema 2020-12.
    ///
    /// The definitions of the schema are all messages by name (such as `client.hello`), and the
    /// parts of messages. Each party that sends messages has two more definitions: any message of
    /// this party, and any frame. A frame is a message or a batch.
    package static func schema(_ style: SchemaStyle = SchemaStyle()) -> JSONValue {
        let frames = Speaker.allCases.flatMap { sender in
            [
                JSONValue.Member("\(sender.rawValue).message", message(of: sender)),
                JSONValue.Member("\(sender.rawValue).frame", frame(of: sender)),
            ]
        }
        return .object([
            .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            .init("title", .string("Messages of refreshd")),
            .init(
                "description",
                .string(
                    "Generated from the registry of messages; docs/protocol.md specifies their "
                        + "meaning. In a client's message a member that is null counts as left "
                        + "out, unless its schema names null."
                )),
            .init(
                "anyOf", .array(Speaker.allCases.map { reference("\($0.rawValue).frame") })),
            .init("$defs", .object(frames + parts(style))),
        ])
    }

    /// Returns the schemas of all messages and of their parts, by name.
    static func parts(_ style: SchemaStyle) -> [JSONValue.Member] {
        messages.map { .init($0.name, described($0.meaning, $0.shape.schema(style))) }
            + definitions.map { .init($0.name, described($0.meaning, $0.shape.schema(style))) }
    }

    private static func message(of sender: Speaker) -> JSONValue {
        .object([
            .init(
                "anyOf",
                .array(messages.filter { $0.sender == sender }.map { reference($0.name) }))
        ])
    }

    private static func frame(of sender: Speaker) -> JSONValue {
        let one = reference("\(sender.rawValue).message")
        guard sender.mayBatch else { return one }
        return .object([
            .init(
                "anyOf",
                .array([
                    one, .object([.init("type", .string("array")), .init("items", one)]),
                ]))
        ])
    }

    private static func reference(_ name: String) -> JSONValue {
        .object([.init("$ref", .string("#/$defs/\(name)"))])
    }

    private static func described(_ meaning: String, _ schema: JSONValue) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        return .object([.init("description", .string(meaning))] + members)
    }
}
