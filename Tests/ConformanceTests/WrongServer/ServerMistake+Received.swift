import Conformance
import RefreshProtocol
import WireContract

/// Mistakes in how a server handles messages from clients.
extension ServerMistake {
    static let receivedMistakes: [ServerMistake] = [
        overfetch,
        ServerMistake(
            "does not check the sequence numbers", in: .session,
            sentChange: { message, memory in
                [
                    message.with {
                        // The acknowledged number is translated to the client's numbering.
                        guard let ack = $0["ack"]?.number, ack > 0 else { return }
                        $0["ack"] = .number(memory.numbers[ack] ?? ack)
                    }
                ]
            },
            receivedChange: { message, memory in
                guard let seq = message["seq"]?.number else { return [message] }
                memory.count += 1
                memory.numbers[memory.count] = seq
                let count = memory.count
                return [message.with { $0["seq"] = .number(count) }]
            }),
        ServerMistake(
            "does not count generations", in: .session,
            sentChange: { message, _ in
                [message.with { if $0["generation"] != nil { $0["generation"] = .number(1) } }]
            },
            receivedChange: { message, _ in [message.with { $0["generation"] = nil }] }),
        forgets("ignores generations", "generation", in: .session),
        ServerMistake(
            "refuses messages with unknown fields", in: .session,
            receivedChange: { message, memory in
                guard StrictReader.refuses(message) else { return [message] }
                memory.answers = [
                    .object([
                        .init("type", .string("error")), .init("code", .string("invalidField")),
                        .init("message", .string("A field is not known.")),
                        .init("temporary", .bool(false)),
                    ])
                ]
                return []
            }),
        drops("ignores configure", in: .session, type: "configure"),
        drops("ignores detach", in: .session, type: "detach"),
        drops("ignores retry", in: .pull, .loadMore, type: "retry"),
        drops("does not end a load that the client cancels", in: .loadMore, type: "cancel"),
        ServerMistake(
            "does not end a refresh that the client resets", in: .loadMore,
            by: "loadMore-37", "loadMore-38",
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0.isA("reset"), $0["edge"] == nil { $0["edge"] = .string("bottom") }
                    }
                ]
            }),
        forgets(
            "attaches a bottom edge that the client has excluded", "bottom", in: .session,
            where: .null),
        forgets("does not support reversed views", "reversed", in: .session),
        forgets("does not support horizontal views", "axis", in: .session),
        forgets("ignores the options for the frames of indicators", "frames", in: .indicators),
        forgets("sends haptic cues to clients that exclude them", "haptics", in: .indicators),
        forgets("ignores the options of paging", "paging", in: .paging),
        forgets("ignores the options of pans", "pan", in: .physics),
        forgets("ignores the cause of a movement", "cause", in: .pull, .loadMore),
        forgets("ignores the offset at which a list is attached", "offset", in: .loadMore),
        geometry("ignores safe areas", "safeArea"),
        geometry("ignores bars", "bars"),
        geometry("ignores the direction of the layout", "direction"),
        geometry("ignores anchors", "anchor"),
        geometry("ignores the host's insets", "insets"),
        ignoresRefreshes(in: "failed"),
        ignoresRefreshes(in: "finishing"),
        ServerMistake(
            "handles a cancelled gesture like one that has ended", in: .pull,
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0["phase"]?.string == "cancelled" { $0["phase"] = .string("ended") }
                    }
                ]
            }),
        ServerMistake(
            "ignores samples of a gesture without began", in: .pull,
            receivedChange: { message, memory in
                switch message["phase"]?.string {
                case "began": memory.values["began"] = .bool(true)
                case "dragging" where memory.values["began"] == nil: return []
                default: break
                }
                return [message]
            }),
        ServerMistake(
            "reads velocities with the wrong sign", in: .physics,
            receivedChange: { message, _ in
                [message.with { $0["velocity"] = $0["velocity"]?.number.map { .number(-$0) } }]
            }),
        ServerMistake(
            "uses the same identifier for every load", in: .ordering,
            sentChange: { message, memory in
                if let load = message["load"] { memory.values["load"] = load }
                return [message.with { if $0["load"] != nil { $0["load"] = .string("1.1") } }]
            },
            receivedChange: { message, memory in
                let load = memory.values["load"]
                return [
                    message.with { if $0["load"]?.string == "1.1" { $0["load"] = load } }
                ]
            }),
        ServerMistake(
            "sends an update for every sample", in: .session,
            receivedChange: { message, memory in
                if message.isA("scroll"), let view = message["view"], let seq = message["seq"] {
                    memory.answers.append(
                        .object([
                            .init("type", .string("update")), .init("view", view),
                            .init("ack", seq),
                        ]))
                }
                return [message]
            }),
    ]

    /// The mistake of a server that ignores a field. If `where` is given, the server ignores the
    /// field only if it has this value.
    private static func forgets(
        _ name: String, _ field: String, in groups: ConformanceGroup...,
        where value: JSONValue? = nil
    ) -> ServerMistake {
        ServerMistake(
            name, in: .session,
            receivedChange: { message, _ in
                [
                    message.with { message in
                        if value == nil || message[field] == value { message[field] = nil }
                        guard let views = message["views"]?.array else { return }
                        message["views"] = .array(
                            views.map { view in
                                view.with {
                                    if value == nil || $0[field] == value { $0[field] = nil }
                                }
                            })
                    }
                ]
            }
        ).with { $0.groups = groups }
    }

    private static func geometry(_ name: String, _ field: String) -> ServerMistake {
        ServerMistake(
            name, in: .geometry,
            receivedChange: { message, _ in
                [
                    message.with {
                        $0[at: "geometry.\(field)"] = nil
                        if $0.isA("geometry") { $0[field] = nil }
                    }
                ]
            })
    }

    /// The mistake of a server that ignores a `refresh` while the refresh edge is in this state.
    private static func ignoresRefreshes(in state: String) -> ServerMistake {
        ServerMistake(
            "ignores refreshes in the state \(state)", in: .pull, by: "pull-47",
            sentChange: { message, memory in
                if let sent = message[at: "top.state"] { memory.values["state"] = sent }
                return [message]
            },
            receivedChange: { message, memory in
                message.isA("refresh") && memory.values["state"]?.string == state ? [] : [message]
            })
    }

    /// The mistake of a server that ignores messages of this type.
    private static func drops(
        _ name: String, in groups: ConformanceGroup..., type: String
    ) -> ServerMistake {
        ServerMistake(
            name, in: .session,
            receivedChange: { message, _ in
                message.isA(type) ? [] : [message]
            }
        ).with { $0.groups = groups }
    }
}

/// A strict parser of client messages. It rejects fields that docs/protocol.md does not name.
enum StrictReader {
    private static let strict = MessageCheck(SchemaStyle(isClosed: true))
    private static let lenient = MessageCheck(SchemaStyle(isClosed: false))

    /// Whether the message has fields that docs/protocol.md does not name.
    static func refuses(_ message: JSONValue) -> Bool {
        strict.violation(in: message, from: .client) != nil
            && lenient.violation(in: message, from: .client) == nil
    }
}
