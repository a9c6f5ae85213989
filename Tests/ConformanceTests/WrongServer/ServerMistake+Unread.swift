import Conformance
import RefreshProtocol

/// Mistakes in the feature `unread`. Source: docs/protocol.md, "Unread items".
extension ServerMistake {
    static let unread: [ServerMistake] =
        [
            dropsMember("away", by: "unread-02"),
            dropsMember("revealed", by: "unread-03"),
            ServerMistake(
                "serves the feature `unread` to a client that does not name it", in: .unread,
                by: "unread-01",
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("hello") { $0["features"] = .array([.string("unread")]) }
                        }
                    ]
                }),
            ServerMistake(
                "accepts a read mark of any length", in: .unread, by: "unread-16",
                receivedChange: { message, _ in
                    [message.with { if $0.isA("read") { $0["id"] = .string("m1") } }]
                }),
            ServerMistake(
                "continues a reveal under a finger", in: .unread, by: "unread-11",
                sentChange: { message, _ in
                    [
                        message.with {
                            if $0["revealed"]?.string == "cancelled" { $0["revealed"] = nil }
                        }
                    ]
                }),
            ServerMistake(
                "moves the list although the item is missing", in: .unread, by: "unread-09",
                sentChange: { message, _ in
                    [
                        message.with {
                            if $0["revealed"]?.string == "missing" {
                                $0["offset"] = .object([.init("to", .number(100))])
                            }
                        }
                    ]
                }),
            ServerMistake(
                "reports a reveal as reached although its page has failed", in: .unread,
                by: "unread-10",
                sentChange: { message, _ in
                    [
                        message.with {
                            if $0["revealed"]?.string == "failed" {
                                $0["revealed"] = .string("reached")
                            }
                        }
                    ]
                }),
            ServerMistake(
                "ignores a further reveal", in: .unread, by: "unread-12",
                receivedChange: { message, memory in
                    guard message.isA("reveal") else { return [message] }
                    guard memory.values["reveal"] == nil else { return [] }
                    memory.values["reveal"] = message
                    return [message]
                }),
            ServerMistake(
                "reveals an edge of the other axis", in: .unread, by: "unread-13",
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0["edge"]?.string == "leading" { $0["edge"] = .string("top") }
                        }
                    ]
                }),
        ]
        + [
            ("edge", "unread-05"), ("edge", "unread-06"), ("position", "unread-07"),
            ("id", "unread-08"), ("animated", "unread-03"),
        ].map { field, subject in
            ServerMistake(
                "does not read \(field) of reveal (\(subject))", in: .unread, by: subject,
                receivedChange: { message, _ in
                    [message.with { if $0.isA("reveal") { $0[field] = nil } }]
                })
        }
        + [
            ServerMistake(
                "reveals the physical beginning instead of the newest end", in: .unread,
                by: "unread-04",
                receivedChange: { message, _ in
                    [
                        message.with {
                            if $0.isA("reveal"), $0["edge"] == nil, $0["id"] == nil {
                                $0["edge"] = .string("top")
                            }
                        }
                    ]
                })
        ]

    /// Mistakes that only a client that resumes can see.
    static let unreadAfterResume: [ServerMistake] = [
        dropsMember("read", by: "unread-14"),
        ServerMistake(
            "keeps the state of the feature for a client that resumes without it",
            in: .unread, by: "unread-15",
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0.isA("hello"), $0["resume"] != nil {
                            $0["features"] = .array([.string("unread")])
                        }
                    }
                ]
            }),
    ]

    private static func dropsMember(_ member: String, by subject: String) -> ServerMistake {
        ServerMistake(
            "does not send \(member)", in: .unread, by: subject,
            sentChange: { message, _ in
                [message.with { if $0.isA("update") { $0[member] = nil } }]
            })
    }
}
