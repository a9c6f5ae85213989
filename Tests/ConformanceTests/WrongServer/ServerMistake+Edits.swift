import Conformance
import RefreshProtocol

/// Mistakes in the feature `edits`. Each mistake names the case that catches it. Source:
/// docs/protocol.md, "Edits" and "Undo".
extension ServerMistake {
    static let edits =
        editAnnouncements + editAnswers + editRepetitions + editTimes + editBounds
        + itemRefreshes

    private static let allFeatures = ["patch", "live", "edits"]

    private static let editAnnouncements: [ServerMistake] = [
        says("does not announce what a feed accepts", by: "edits-01") { message, _ in
            message["edits"] = nil
        },
        omits(
            "does not answer an edit that a feed does not accept", by: "edits-02", where: isRollback
        ),
        assumes(allFeatures, by: "edits-03"), assumes(allFeatures, by: "edits-04"),
        assumes(allFeatures, by: "edits-05"),
        omits(
            "does not answer an edit of a view without a feed", by: "edits-28", where: isRollback),
    ]

    /// Mistakes in the answers.
    private static let editAnswers: [ServerMistake] = [
        ServerMistake("sends `edited` in a frame of its own", in: .edits, by: "edits-06").with {
            $0.framing = .apart
        },
        ServerMistake("sends `edited` before the items", in: .edits, by: "edits-07").with {
            $0.framing = .backwards
        },
        omits("does not change the list of the author", by: "edits-08") { $0.hasOperations },
        says("states that an item was replaced", by: "edits-09") { message, _ in
            guard message.isA("edited") else { return }
            message["result"] = .string("replaced")
            message["key"] = .number(3)
        },
        says("moves an item to the other side", by: "edits-10") { message, _ in
            message.changeOperations { $0.rename("after", to: "before") }
        },
        says("does not state the key of a replaced item", by: "edits-11") { message, _ in
            message["key"] = nil
        },
        says("shows the item that the client has sent", by: "edits-11") { message, _ in
            message.changeOperations { $0[at: "update.word"] = .string("mine") }
        },
        says("states the key of the client", by: "edits-12") { message, _ in
            if message["key"] != nil { message["key"] = .string("mine-1") }
        },
        says("confirms what the backend has refused", by: "edits-13") { message, _ in
            guard isRollback(message) else { return }
            message["result"] = .string("confirmed")
            for name in ["code", "message", "temporary"] { message[name] = nil }
        },
        says("answers each edit with the name of the first", by: "edits-16") { message, _ in
            if message.isA("edited") { message["edit"] = .string("edit-0001") }
        },
        omits("does not show an edit in other views", by: "edits-24") {
            $0.hasOperations && $0["view"]?.string == "other"
        },
        adds("shows an edit in its view twice", by: "edits-25") { message, _ in
            message.hasOperations ? [message] : []
        },
        says("keeps the cue after an edit", by: "edits-26") { message, _ in
            if message["newer"]?.bool == false { message["newer"] = nil }
        },
        adds("answers an edit twice", by: "edits-40") { message, _ in
            message.isA("edited") ? [message] : []
        },
        omits("does not answer too many edits", by: "edits-37") {
            $0["code"]?.string == "tooManyEdits"
        },
        omits("lets the answer to too many edits wait", by: "edits-38") {
            $0["code"]?.string == "tooManyEdits"
        },
    ]

    private static let editRepetitions =
        ["edits-14", "edits-15", "edits-21", "edits-49"].map { performsAgain(by: $0) }

    /// Mistakes in when an edit is performed and answered.
    private static let editTimes: [ServerMistake] = [
        hears("ignores the delay of an edit", by: "edits-17") { message, _ in
            message["delayMs"] = nil
        },
        misses("ignores `undo`", by: "edits-18") { $0.isA("undo") },
        hears("undoes an edit that was performed", by: "edits-19") { message, memory in
            guard message.isA("undo") else { return }
            memory.answers.append(
                .object([
                    .init("type", .string("edited")), .init("view", .string("list")),
                    .init("edit", message["edit"] ?? .null), .init("result", .string("rolledBack")),
                    .init("code", .string("undone")), .init("message", .string("undone")),
                    .init("temporary", .bool(false)),
                ]))
        },
        hears("undoes another edit", by: "edits-20") { message, _ in
            if message.isA("undo") { message["edit"] = .string("edit-0001") }
        },
        takesForRest(["began", "ended"], by: "edits-22"),
        hears("answers an edit before it is performed", by: "edits-23") { message, memory in
            guard message.isA("edit") else { return }
            memory.answers.append(
                .object([
                    .init("type", .string("edited")), .init("view", .string("list")),
                    .init("edit", message["edit"] ?? .null), .init("result", .string("confirmed")),
                ]))
        },
        misses("does not perform the edit of a view that is gone", by: "edits-27") {
            $0.isA("detach")
        },
        misses("does not perform an edit that is repeated", by: "edits-41") {
            $0["repeated"]?.bool == true
        },
    ]

    /// Mistakes in what is refused.
    private static let editBounds: [ServerMistake] =
        ["edits-29", "edits-30", "edits-31"].map { subject in
            hears("accepts any name of an edit", by: subject) { message, _ in
                if message.isA("edit") { message["edit"] = .string("edit-0001") }
            }
        }
        + ["edits-32", "edits-33", "edits-39", "edits-50"].map { subject in
            hears("accepts any operation", by: subject) { message, _ in
                guard message.isA("edit") else { return }
                message["operation"] = .object([.init("remove", .number(3))])
            }
        }
        + [
            hears("accepts any delay", by: "edits-34") { message, _ in
                if message["delayMs"] != nil { message["delayMs"] = .number(0) }
            },
            hears("accepts any `repeated`", by: "edits-42") { message, _ in
                message["repeated"] = nil
            },
        ]

    /// Mistakes in the refresh of one item.
    private static let itemRefreshes: [ServerMistake] = [
        says("sends all items for the refresh of one", by: "edits-43") { message, memory in
            if let items = message["items"] { memory.values["items"] = items }
            guard message.hasOperations, let items = memory.values["items"] else { return }
            message["mode"] = .string("replace")
            message["operations"] = nil
            message["items"] = items
        },
        says("moves the item to the start", by: "edits-43") { message, _ in
            guard let item = message["operations"]?.array?.first?["update"] else { return }
            message["operations"] = .array([
                .object([.init("remove", item["id"] ?? .null)]),
                .object([.init("insert", item), .init("at", .string("start"))]),
            ])
        },
        says("states that it has replaced an item that is gone", by: "edits-44") { message, _ in
            guard message.isA("edited") else { return }
            message["result"] = .string("replaced")
            message["key"] = .number(5)
        },
        omits("keeps an item that is gone", by: "edits-44") { $0.hasOperations },
        adds("removes an item that could not be requested", by: "edits-45") { message, memory in
            if message["items"] != nil { memory.values["items"] = message }
            guard isRollback(message), let items = memory.values["items"] else { return [] }
            return [
                items.with {
                    $0["mode"] = .string("patch")
                    $0["count"] = .number(19)
                    $0["items"] = nil
                    $0["operations"] = .array([.object([.init("remove", .number(5))])])
                }
            ]
        },
        says("confirms the refresh of an item of a later page", by: "edits-46") { message, _ in
            guard message.isA("edited") else { return }
            message["result"] = .string("confirmed")
            message["key"] = nil
        },
        adds("takes an item of a later page for a change", by: "edits-46") { message, _ in
            guard message.isA("edited") else { return [] }
            return [
                .object([
                    .init("type", .string("update")), .init("view", .string("list")),
                    .init("ack", .number(0)), .init("newer", .bool(true)),
                ])
            ]
        },
        adds("loads the list for one item", by: "edits-47") { message, memory in
            if message.isA("loading") { memory.values["began"] = memory.values["began"] ?? message }
            return message.isA("edited") ? [memory.values["began"]].compactMap { $0 } : []
        },
        omits("does not show a refreshed item in other views", by: "edits-48") {
            $0.hasOperations && $0["view"]?.string == "other"
        },
        says("sends the operation `refresh` to other views", by: "edits-48") { message, _ in
            guard message["view"]?.string == "other" else { return }
            message.changeOperations { operation in
                operation = .object([.init("refresh", operation[at: "update.id"] ?? .null)])
            }
        },
    ]

    /// Mistakes that only a client that resumes can see.
    static let editsAfterResume: [ServerMistake] = [
        performsAgain(by: "edits-35"),
        ServerMistake(
            "does not answer an edit after a resume", in: .edits, by: "edits-36",
            sentChange: { message, _ in message.isA("edited") ? [] : [message] }),
    ]

    private static func isRollback(_ message: JSONValue) -> Bool {
        message["result"]?.string == "rolledBack"
    }

    /// The mistake of a server that performs an edit again when the client sends it again.
    private static func performsAgain(by subject: String) -> ServerMistake {
        ServerMistake(
            "performs an edit again (\(subject))", in: .edits, by: subject,
            sentChange: { message, _ in
                [
                    message.with {
                        guard $0["edit"]?.string == "edit-again" else { return }
                        $0["edit"] = .string("edit-0001")
                    }
                ]
            },
            receivedChange: { message, memory in
                if let resume = message["resume"] { memory.values["resume"] = resume }
                guard message.isA("edit"), let name = message["edit"]?.string else {
                    return [message]
                }
                // Each connection has a memory of its own.
                let isRepeated = memory.values["resume"] != nil || memory.values[name] != nil
                memory.values[name] = message
                guard isRepeated else { return [message] }
                return [message.with { $0["edit"] = .string("edit-again") }]
            })
    }
}
