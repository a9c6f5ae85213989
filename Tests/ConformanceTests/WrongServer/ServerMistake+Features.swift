import Conformance
import RefreshProtocol

/// Mistakes in messages and fields that only clients with features use. Source: docs/protocol.md,
/// "Features".
extension ServerMistake {
    static let features: [ServerMistake] =
        [
            ServerMistake(
                "replaces a refresh that runs although the client did not request this", in: .pull,
                by: "pull-75",
                sentChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("attached") { $0[at: "top.repeat"] = .string("reject") }
                        }
                    ]
                },
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("attach") { $0[at: "top.repeat"] = .string("newest") }
                        }
                    ]
                }),
            unheeded("repeat", nil, by: "pull-76").with { $0.name += ", but rejects" },
            unheeded("repeat", nil, by: "pull-77").with { $0.name += ", but does not replace" },
            unheeded("repeat", .string("join"), by: "pull-77"),
            unheeded("repeat", nil, by: "pull-78").with { $0.name += ", in a view with a feed" },
            unheeded("pollMs", nil, by: "pull-79"),
            unheeded("pollMs", .number(5000), by: "pull-79"),
            unheeded("pollMs", nil, by: "pull-81").with { $0.name += ", in a view with a feed" },
            ServerMistake(
                "polls while the view is not in sight", in: .pull, by: "pull-80",
                receivedChange: { message, _ in message.isA("disappear") ? [] : [message] }),
            ServerMistake(
                "does not say that a load answers a further request", in: .pull, by: "pull-76",
                sentChange: { message, _ in message["phase"]?.string == "joined" ? [] : [message] }),
            ServerMistake(
                "does not report a query that cannot be configured", in: .session,
                by: "session-53",
                sentChange: { message, _ in
                    message["code"]?.string == "notConfigurable" ? [] : [message]
                }),
            ServerMistake(
                "empties the list when the same query comes again", in: .session, by: "session-57",
                receivedChange: { message, _ in
                    guard message.isA("configure"), let seq = message["seq"]?.number else {
                        return [message]
                    }
                    return [
                        message,
                        .object([
                            .init("type", .string("reset")),
                            .init("view", message["view"] ?? .null),
                            .init("seq", .number(seq + 1)),
                        ]),
                    ]
                }),
        ]
        + ["pull-82", "session-50"].map { subject in
            ServerMistake(
                "serves features to a client that names none (\(subject))", in: .pull, .session,
                by: subject,
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("hello"), $0["features"] == nil {
                                $0["features"] = .array([])
                            }
                        }
                    ]
                })
        }
        + [
            ServerMistake(
                "serves every feature to a client that names others", in: .session,
                by: "session-56",
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("hello") { $0["features"] = .array([.string("query")]) }
                        }
                    ]
                })
        ]
        + ["session-48", "session-49", "session-51", "session-52"].map {
            ignores(["initial"], of: "attach", by: $0)
        }
        + [
            ignores(["parameters"], of: "configure", by: "session-54"),
            ignores(["debounceMs", "shown"], of: "configure", by: "session-55"),
        ]

    /// The mistake of a server that does not read these fields in messages of this type.
    private static func ignores(
        _ fields: [String], of type: String, by subject: String
    ) -> ServerMistake {
        ServerMistake(
            "does not read \(fields.joined(separator: " and ")) of \(type) (\(subject))",
            in: .session, by: subject,
            receivedChange: { message, _ in
                [
                    message.with {
                        guard $0.isA(type) else { return }
                        for field in fields { $0[field] = nil }
                    }
                ]
            })
    }
}

/// Mistakes in sections. Source: docs/protocol.md, "Sections".
extension ServerMistake {
    static let sections: [ServerMistake] = [
        says("does not send sectionKey", by: "session-70") { message, _ in
            message["sectionKey"] = nil
        },
        hears("sends sectionKey to a client without features", by: "session-71") { message, _ in
            if message.isA("hello") { message["features"] = .array([]) }
        },
        says("names a section of items that have none", by: "session-72") { message, _ in
            if message.isA("attached") { message["sectionKey"] = .string("/word") }
        },
        says("names a section of a view without a feed", by: "session-72") { message, _ in
            guard message.isA("attached"), message["view"]?.string == "other" else { return }
            message["sectionKey"] = .string("/word")
        },
        says("sends headers as items", by: "session-73") { message, _ in
            guard let items = message["items"]?.array else { return }
            message["items"] = .array([.object([.init("letter", .string("a"))])] + items)
            message["count"] = .number(Double(items.count + 1))
        },
        says("counts headers", by: "session-73") { message, _ in
            guard let count = message[at: "list.count"]?.number else { return }
            message[at: "list.count"] = .number(count + 3)
        },
    ]

    /// Mistakes that only a client that resumes can see.
    static let sectionsAfterResume: [ServerMistake] = [
        says("does not send sectionKey after a resume", by: "session-74") { message, memory in
            if message["resumed"]?.bool == true { memory.count = 1 }
            if memory.count == 1 { message["sectionKey"] = nil }
        },
        hears("keeps the features of the session before", by: "session-74") { message, _ in
            if message["resume"] != nil { message["features"] = .array([]) }
        },
    ]
}
