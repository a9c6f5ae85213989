import Conformance
import RefreshProtocol
import WireContract

/// Mistakes in how a server handles messages from clients.
extension ServerMistake {
    static let receivedMistakes: [ServerMistake] = [
        overfetch,
        ServerMistake(
            "does not check seq", in: .session,
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
        forgets("does not look at generations", "generation", in: .session),
        ServerMistake(
            "refuses fields that it does not know", in: .session,
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
        drops("does not configure", in: .session, type: "configure"),
        drops("keeps views that were detached", in: .session, type: "detach"),
        drops("does not know retry", in: .pull, .loadMore, type: "retry"),
        drops("lets a load run on that was cancelled", in: .loadMore, type: "cancel"),
        ServerMistake(
            "lets a refresh run on that was reset", in: .loadMore,
            by: "loadMore-37", "loadMore-38",
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0.isA("reset"), $0["edge"] == nil { $0["edge"] = .string("bottom") }
                    }
                ]
            }),
        forgets("has every edge", "bottom", in: .session, where: .null),
        forgets("does not know reversed views", "reversed", in: .session),
        forgets("does not know rows", "axis", in: .session),
        forgets("plays every indicator plainly", "frames", in: .indicators),
        forgets("gives cues to those who want none", "haptics", in: .indicators),
        forgets("pages by its own lights", "paging", in: .paging),
        forgets("damps as it likes", "pan", in: .physics),
        forgets("takes the program for a finger", "cause", in: .pull, .loadMore),
        forgets("does not look where a list was attached", "offset", in: .loadMore),
        geometry("does not know safe areas", "safeArea"),
        geometry("does not know bars", "bars"),
        geometry("does not know right-to-left", "direction"),
        geometry("does not know anchors", "anchor"),
        geometry("does not know the host's insets", "insets"),
        ignoresRefreshes(in: "failed"),
        ignoresRefreshes(in: "finishing"),
        ServerMistake(
            "takes cancelled for ended", in: .pull,
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0["phase"]?.string == "cancelled" { $0["phase"] = .string("ended") }
                    }
                ]
            }),
        ServerMistake(
            "wants began", in: .pull,
            receivedChange: { message, memory in
                switch message["phase"]?.string {
                case "began": memory.values["began"] = .bool(true)
                case "dragging" where memory.values["began"] == nil: return []
                default: break
                }
                return [message]
            }),
        ServerMistake(
            "takes the velocity the wrong way round", in: .physics,
            receivedChange: { message, _ in
                [message.with { $0["velocity"] = $0["velocity"]?.number.map { .number(-$0) } }]
            }),
        ServerMistake(
            "does not number its loads", in: .ordering,
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
            "answers every sample", in: .session,
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

    /// The mistake of a server that ignores a field. If `where` is given, the server ignores only
    /// that value of the field.
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

    /// The server that ignores a `refresh` while the refresh edge is in this state.
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
