import Conformance
import RefreshProtocol

/// Mistakes in refreshes at depth, in changes of feeds, in queries, in first items and in polls.
/// Each mistake names the case that catches it.
extension ServerMistake {
    static let lists = depth + changes + queries + firstItems + repeats + overPulls

    private static let depth: [ServerMistake] = [
        ServerMistake(
            "sends the pages that were loaded although another page has failed", in: .paging,
            by: "paging-38",
            sentChange: { message, memory in
                if message.isA("items") { memory.values["items"] = message }
                guard message["phase"]?.string == "failed", let load = message["load"],
                    let items = memory.values["items"]
                else { return [message] }
                return [items.with { $0["load"] = load }, message]
            }),
        changed(
            "empties a list of which a page has failed", in: .paging, by: "paging-38",
            types: "update"
        ) {
            guard $0[at: "top.result"]?.string == "failed" else { return }
            $0["list"] = .object([.init("count", .number(0)), .init("more", .bool(true))])
        },
        received("continues a list with its old cursor", in: .paging, by: "paging-39") { message in
            if message["cursor"]?.string == "c" { message["cursor"] = .string("b") }
        },
        changed(
            "sends only the last page of a refresh", in: .paging, by: "paging-40", types: "items"
        ) {
            guard $0["pages"] != nil, let items = $0["items"]?.array else { return }
            $0["items"] = .array(Array(items.suffix(20)))
            $0["count"] = .number(20)
        },
        changed(
            "sends the pages of a refresh in the wrong order", in: .paging, by: "paging-40",
            types: "items"
        ) {
            guard $0["pages"] != nil, let items = $0["items"]?.array else { return }
            $0["items"] = .array(Array(items.suffix(20) + items.prefix(20)))
        },
        ServerMistake(
            "sends each page of a refresh by itself", in: .paging, by: "paging-41",
            sentChange: { message, _ in
                guard message["pages"] != nil, message.isA("items"),
                    let items = message["items"]?.array
                else { return [message] }
                return [
                    message.with {
                        $0["items"] = .array(Array(items.prefix(20)))
                        $0["count"] = .number(20)
                    },
                    message.with {
                        $0["mode"] = .string("append")
                        $0["items"] = .array(Array(items.dropFirst(20)))
                        $0["count"] = .number(20)
                    },
                ]
            }),
        received(
            "counts the items that were requested", in: .paging, by: "paging-42"
        ) { message in
            if message["count"]?.number == 17 { message["count"] = .number(20) }
        },
        unheeded("depth", .string("keep"), by: "paging-43").with { $0.name += ", of a feed" },
        received("does not hold the anchor", in: .paging, by: "paging-44") { message in
            if message["content"] != nil { message["anchor"] = nil }
        },
        ServerMistake(
            "does not read a geometry that has only an anchor", in: .paging, by: "paging-45",
            receivedChange: { message, _ in
                let isAnchor = message.isA("geometry") && message["content"] == nil
                return isAnchor && message["anchor"] != nil ? [] : [message]
            }),
    ]

    private static let changes: [ServerMistake] =
        ["paging-46", "paging-47"].map { subject in
            ServerMistake(
                "shortens a list that is away from its start (\(subject))", in: .paging,
                by: subject,
                sentChange: { message, _ in
                    guard message["newer"]?.bool == true else { return [message] }
                    return [
                        message.with {
                            $0["newer"] = nil
                            $0["list"] = .object([
                                .init("count", .number(20)), .init("more", .bool(true)),
                            ])
                        }
                    ]
                })
        }
        + [
            received(
                "does not refresh a list at depth after a change", in: .paging,
                by: "paging-48"
            ) { message in
                message[at: "top.depth"] = nil
            },
            received("only reports a silent change", in: .paging, by: "paging-49") { message in
                if message.isA("configure") { message[at: "top.changes"] = .string("cue") }
            },
            received("shows a silent change", in: .paging, by: "paging-49") { message in
                if message.isA("configure") { message[at: "top.changes"] = .string("visible") }
            },
            received("does not show a visible change", in: .paging, by: "paging-50") { message in
                if message.isA("configure") { message[at: "top.changes"] = .string("silent") }
            },
            ServerMistake(
                "does not report changes", in: .paging, by: "paging-51",
                sentChange: { message, _ in message["newer"]?.bool == true ? [] : [message] }),
            ServerMistake(
                "does not withdraw newer after the refresh", in: .paging, by: "paging-51",
                sentChange: { message, _ in
                    [message.with { if $0["newer"]?.bool == false { $0["newer"] = nil } }]
                }),
            ServerMistake(
                "refreshes again although the user has refreshed", in: .paging, by: "paging-52",
                sentChange: { message, memory in
                    if message["cause"]?.string == "code" { memory.values["began"] = message }
                    guard message.isA("items"), message["view"]?.string == "list",
                        let began = memory.values["began"]
                    else { return [message] }
                    return [message, began.with { $0["cause"] = .string("changed") }]
                }),
            ServerMistake(
                "delays the refresh of the user too", in: .paging, by: "paging-52",
                receivedChange: { message, _ in
                    message.isA("refresh") && message["view"]?.string == "list" ? [] : [message]
                }),
        ]

    private static let queries: [ServerMistake] = [
        received("does not apply a query", in: .session, by: "session-58") { message in
            if message.isA("configure") { message["parameters"] = nil }
        },
        ServerMistake(
            "sends the late answer of an old query", in: .session, by: "session-59",
            sentChange: { message, memory in
                if message.isA("items") { memory.values["items"] = message }
                guard message["phase"]?.string == "cancelled", let items = memory.values["items"]
                else { return [message] }
                return [items.with { $0["load"] = message["load"] }, message]
            }),
        ServerMistake(
            "keeps the first one of two queries", in: .session, by: "session-59",
            receivedChange: { message, memory in
                guard message.isA("configure") else { return [message] }
                memory.count += 1
                return memory.count > 1 ? [] : [message]
            }),
        ServerMistake(
            "empties the list when a query fails", in: .session, by: "session-60",
            sentChange: { message, _ in
                guard message["phase"]?.string == "failed" else { return [message] }
                return [
                    .object([
                        .init("type", .string("update")), .init("view", .string("list")),
                        .init("ack", .number(1)),
                        .init(
                            "list",
                            .object([.init("count", .number(0)), .init("more", .bool(true))])),
                    ]), message,
                ]
            }),
        changed(
            "appends a page of a failed query", in: .session, by: "session-60", types: "loading"
        ) {
            if $0["kind"]?.string == "more" { $0["page"] = .number(2) }
        },
        received("does not clear the list", in: .session, by: "session-61") { message in
            message["shown"] = nil
        },
        received("clears the list without being asked", in: .session, by: "session-62") { message in
            if message.isA("configure") { message["shown"] = .string("clear") }
        },
        received("does not check the type of a value", in: .session, by: "session-63") { message in
            if message[at: "parameters.above"]?.string == "many" {
                message["parameters"] = .object([])
            }
        },
        ServerMistake(
            "does not keep pages of queries", in: .session, by: "session-64",
            receivedChange: { message, memory in
                memory.count += 1
                let count = memory.count
                return [
                    message.with { $0[at: "parameters.tag"] = .string("\(count)") }
                ]
            }),
        received("does not wait for a further query", in: .session, by: "session-65") { message in
            message["debounceMs"] = nil
        },
    ]

    private static let firstItems: [ServerMistake] =
        ["session-66", "session-67", "session-69"].map { subject in
            received("does not load first items (\(subject))", in: .session, by: subject) {
                $0["initial"] = nil
            }
        }
        + [
            received("loads although a page is kept", in: .session, by: "session-68") { message in
                if message["initial"] != nil { message["initial"] = .string("load") }
            },
            unheeded("staleAfter", .number(0), by: "session-69"),
        ]

    private static let repeats: [ServerMistake] = [
        ServerMistake(
            "polls a feed while the view is not in sight", in: .pull, by: "pull-83",
            receivedChange: { message, _ in message.isA("disappear") ? [] : [message] }),
        ServerMistake(
            "does not poll a feed when the view is in sight again", in: .pull, by: "pull-83",
            receivedChange: { message, _ in message.isA("appear") ? [] : [message] }),
        received("replaces a poll by the refresh of the user", in: .pull, by: "pull-84") {
            message in
            if message.isA("attach") { message[at: "top.repeat"] = .string("newest") }
        },
        ServerMistake(
            "hides a poll although the user refreshes", in: .pull, by: "pull-84",
            receivedChange: { message, _ in message.isA("refresh") ? [] : [message] }),
        unheeded("repeat", nil, by: "pull-85").with { $0.name += ", but rejects for a feed" },
        unheeded("repeat", .string("newest"), by: "pull-86").with { $0.name += ", for a feed" },
        unheeded("repeat", .string("join"), by: "pull-86").with { $0.name += ", for a feed" },
        ServerMistake(
            "replaces a refresh by a request that the intents exclude", in: .pull, by: "pull-87",
            receivedChange: { message, _ in
                [message.with { if $0.isA("refresh") { $0["cause"] = .string("code") } }]
            }),
    ]

    private static let overPulls: [ServerMistake] = [
        unheeded("progressMax", nil, by: "pull-88"),
        unheeded("progressMax", .number(2), by: "pull-88").with { $0.name += " or less" },
        unheeded("progressMax", .number(10), by: "pull-89"),
        changed("does not round an over-pull", in: .pull, by: "pull-89", types: "update") {
            if $0[at: "top.progress"]?.number == 1.167 { $0[at: "top.progress"] = .number(7.0 / 6) }
        },
        ServerMistake(
            "reports over-pull without being asked", in: .pull, by: "pull-90",
            sentChange: { message, _ in
                [
                    message.with {
                        if $0.isA("attached") { $0[at: "top.progressMax"] = .number(1) }
                    }
                ]
            },
            receivedChange: { message, _ in
                [
                    message.with {
                        if $0.isA("attach") { $0[at: "top.progressMax"] = .number(2) }
                    }
                ]
            }),
        unheeded("progressMax", nil, by: "pull-91").with { $0.name += ", in a view with a feed" },
        changed("disarms an edge that is pulled too far", in: .pull, by: "pull-91", types: "update")
        {
            if $0[at: "top.progress"]?.number == 2 { $0[at: "top.state"] = .string("pulling") }
        },
        received("does not check progressMax", in: .pull, by: "pull-92") { message in
            message[at: "top.progressMax"] = nil
        },
        received(
            "serves over-pull to a client that names no features", in: .pull, by: "pull-93"
        ) { message in
            if message.isA("hello"), message["features"] == nil {
                message["features"] = .array([])
            }
        },
    ]

    /// The mistake of a server that reads each received message as if it had this change.
    private static func received(
        _ name: String, in groups: ConformanceGroup..., by subject: String,
        change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> ServerMistake {
        ServerMistake(
            name, in: .session, by: subject,
            receivedChange: { message, _ in [message.with(change)] }
        ).with { $0.groups = groups }
    }
}
