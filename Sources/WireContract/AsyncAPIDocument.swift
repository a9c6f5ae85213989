package import RefreshProtocol

/// The contract as an AsyncAPI 3 document with channels, operations and messages. The document
/// describes the daemon's side, so it describes the messages of clients as received messages.
/// Source: AsyncAPI 3.0.0.
package enum AsyncAPIDocument {
    /// A channel: an address of the daemon, and the parties that send messages there.
    private struct Channel {
        let name: String
        let address: String
        let subprotocol: String
        let summary: String
        let senders: [Speaker]
    }

    private static let channels = [
        Channel(
            name: "session", address: ProtocolVersion.sessionPath,
            subprotocol: ProtocolVersion.subprotocol,
            summary: "A client's session: docs/protocol.md.", senders: [.client, .daemon]),
        Channel(
            name: "worker", address: ProtocolVersion.workerPath,
            subprotocol: ProtocolVersion.workerSubprotocol,
            summary: "A worker, which loads items for feeds: docs/backends.md.",
            senders: [.worker, .broker]),
        Channel(
            name: "watch", address: ProtocolVersion.watchPath,
            subprotocol: ProtocolVersion.watchSubprotocol,
            summary: "Events of live sessions, for operators: docs/operations.md.",
            senders: [.watch]),
    ]

    /// The messages that have an immediate reply, with their replies.
    private static let replies: [(question: String, answer: String)] = [
        ("client.hello", "daemon.welcome"), ("client.attach", "daemon.attached"),
        ("client.ping", "daemon.pong"), ("client.snapshot", "daemon.snapshot"),
        ("client.bye", "daemon.bye"), ("worker.register", "broker.registered"),
    ]

    /// The whole document.
    package static var value: JSONValue {
        object([
            ("asyncapi", .string("3.0.0")), ("info", info),
            ("defaultContentType", .string("application/json")), ("servers", servers),
            ("channels", object(channels.map { ($0.name, channel($0)) })),
            ("operations", object(channels.flatMap(operations))),
            (
                "components",
                object([
                    ("messages", object(Contract.messages.map { ($0.name, message($0)) })),
                    ("schemas", .object(Contract.parts(.asyncAPI))),
                ])
            ),
        ])
    }

    private static let info = object([
        ("title", .string("refreshd")), ("version", .string("\(ProtocolVersion.current)")),
        (
            "description",
            .string(
                "Pull to refresh and load more, decided by a daemon for thin clients. "
                    + "Generated from the registry of messages. "
                    + "A frame of a session may also be a batch: an array of messages.")
        ),
        ("license", object([("name", .string("MIT"))])),
    ])

    private static let servers = object([
        (
            "local",
            object([
                ("host", .string("127.0.0.1:8080")), ("protocol", .string("ws")),
                ("description", .string("A daemon that runs without a configuration.")),
            ])
        )
    ])

    private static func channel(_ channel: Channel) -> JSONValue {
        let messages = messages(of: channel).map {
            ($0.name, reference("#/components/messages/\($0.name)"))
        }
        return object([
            ("address", .string(channel.address)), ("summary", .string(channel.summary)),
            ("messages", object(messages)),
            (
                "bindings",
                object([
                    (
                        "ws",
                        object([
                            ("method", .string("GET")),
                            (
                                "headers",
                                Shape.object([
                                    ShapeField(
                                        "Sec-WebSocket-Protocol",
                                        .constant(.string(channel.subprotocol)))
                                ]).schema(.asyncAPI)
                            ),
                            ("bindingVersion", .string("0.1.0")),
                        ])
                    )
                ])
            ),
        ])
    }

    /// Returns one operation for each party that sends messages in the channel. Each message that
    /// has a reply has a separate operation.
    private static func operations(_ channel: Channel) -> [(String, JSONValue)] {
        channel.senders.flatMap { sender in
            let messages = Contract.messages.filter { $0.sender == sender }
            let answered = messages.compactMap { message in
                replies.first { $0.question == message.name }
            }
            let plain = messages.map(\.name).filter { name in
                !answered.contains { $0.question == name }
            }
            let action = sender.isDaemon ? "send" : "receive"
            return [("\(sender.rawValue).says", operation(action, channel, plain))]
                + answered.map { question, answer in
                    let reply = object([
                        ("channel", reference("#/channels/\(channel.name)")),
                        ("messages", .array([channelMessageReference(channel, answer)])),
                    ])
                    return (
                        "\(question).answered",
                        operation(action, channel, [question], [("reply", reply)])
                    )
                }
        }
    }

    private static func operation(
        _ action: String, _ channel: Channel, _ messages: [String],
        _ more: [(String, JSONValue)] = []
    ) -> JSONValue {
        object(
            [
                ("action", .string(action)),
                ("channel", reference("#/channels/\(channel.name)")),
                ("messages", .array(messages.map { channelMessageReference(channel, $0) })),
            ] + more)
    }

    private static func message(_ message: MessageShape) -> JSONValue {
        let examples = message.examples.compactMap { try? JSONValue(parsing: $0) }
        return object([
            ("name", .string(message.type)), ("title", .string(message.name)),
            ("summary", .string(message.meaning)),
            ("contentType", .string("application/json")),
            ("payload", reference(SchemaStyle.asyncAPI.definitions + message.name)),
            ("examples", .array(examples.map { object([("payload", $0)]) })),
        ])
    }

    private static func messages(of channel: Channel) -> [MessageShape] {
        Contract.messages.filter { channel.senders.contains($0.sender) }
    }

    private static func channelMessageReference(_ channel: Channel, _ message: String) -> JSONValue
    {
        reference("#/channels/\(channel.name)/messages/\(message)")
    }

    private static func reference(_ place: String) -> JSONValue {
        object([("$ref", .string(place))])
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONValue.Member($0.0, $0.1) })
    }
}
