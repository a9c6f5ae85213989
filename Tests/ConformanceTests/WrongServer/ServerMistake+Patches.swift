import Conformance
import RefreshProtocol

/// Mistakes in the feature `patch`. Each mistake names the case that catches it. Source:
/// docs/protocol.md, "Patches".
extension ServerMistake {
    static let patches: [ServerMistake] = announced + whole + runs

    /// Mistakes in what is announced.
    private static let announced: [ServerMistake] = [
        sent("does not send itemKey", by: "patches-01") { message, _ in
            if message.isA("attached") { message["itemKey"] = nil }
        },
        received("serves patches to a client that does not name them", by: "patches-02") {
            if $0.isA("hello") {
                $0["features"] = .array([.string("query"), .string("patch")])
            }
        },
        sent("names a key for a feed without keys", by: "patches-03") { message, _ in
            if message.isA("attached") { message["itemKey"] = .string("/id") }
        },
    ]

    /// Mistakes in when a patch is sent.
    private static let whole: [ServerMistake] =
        [
            ("patches the first list", "patches-04", 1),
            ("patches the list of another query", "patches-06", 2),
            ("patches a list in which two items have the same key", "patches-07", 2),
            ("patches a list in which an item has no key", "patches-07", 3),
            ("patches a list after one in which an item has no key", "patches-07", 4),
            ("sends a patch that is as large as the list", "patches-09", 2),
        ].map { name, subject, number in
            sent(name, by: subject) { message, memory in
                guard message.isA("items") else { return }
                memory.count += 1
                if memory.count == Double(number) { becomePatch(&message) }
            }
        }
        + [
            received("keeps the base over a reset", by: "patches-05") {
                if $0.isA("reset") { $0["type"] = .string("appear") }
            },
            received("keeps the base over a reset that names the refresh edge", by: "patches-05") {
                if $0["edge"]?.string == "top" { $0["type"] = .string("appear") }
                if $0.isA("appear") { $0["edge"] = nil }
            },
            received("does not read the intents", by: "patches-08") { $0[at: "top.intents"] = nil },
            sent("never sends patches", by: "patches-18") { message, memory in
                if let list = list(after: message, memory) {
                    memory.values["list"] = .array(list)
                    guard message["runs"] != nil else { return }
                    message["mode"] = .string("replace")
                    message["items"] = .array(list)
                    message["runs"] = nil
                }
            }.with { $0.isHarmless = true },
        ]

    /// Mistakes in the runs of a patch.
    private static let runs: [ServerMistake] = [
        changed("sends runs that are one item too long", by: "patches-14") { runs in
            for index in runs.indices {
                guard let count = runs[index]["count"]?.number else { continue }
                runs[index]["count"] = .number(count + 1)
            }
        },
        changed("names a neighbour that the client does not show", by: "patches-13") { runs in
            for index in runs.indices where runs[index]["from"] != nil {
                runs[index]["from"] = .number(999)
            }
        },
        changed("names keys as text", by: "patches-12") { runs in
            for index in runs.indices {
                guard let key = runs[index]["from"] else { continue }
                runs[index]["from"] = .string(key.text)
            }
        },
        changed("does not see that an item has changed", by: "patches-14") { runs in
            runs = [.object([.init("from", .number(0)), .init("count", .number(20))])]
        },
        changed("keeps items that were removed", by: "patches-15") { runs in
            runs = [.object([.init("from", .number(0)), .init("count", .number(20))])]
        },
        changed("does not move items", by: "patches-16") { runs in
            runs.sort { ($0["from"]?.number ?? 0) < ($1["from"]?.number ?? 0) }
        },
        changed("sends an item twice", by: "patches-13") { runs in
            if let first = runs.first(where: { $0["items"] != nil }) { runs.append(first) }
        },
        sent("sends a patch without its last run", by: "patches-17") { message, _ in
            guard let runs = message["runs"]?.array else { return }
            message["runs"] = .array(Array(runs.dropLast()))
        },
        sent("starts from the list before the last one", by: "patches-14") { message, memory in
            guard let runs = message["runs"] else { return }
            message["runs"] = memory.values["runs"] ?? runs
            memory.values["runs"] = runs
        },
        sent("sends the items that have not changed again", by: "patches-14") { message, memory in
            guard let list = list(after: message, memory) else { return }
            memory.values["list"] = .array(list)
            if message["runs"] != nil {
                message["runs"] = .array([.object([.init("items", .array(list))])])
            }
        },
        ServerMistake(
            "sends a patch in two messages", in: .patches, by: "patches-13",
            sentChange: { message, _ in
                guard let runs = message["runs"]?.array, runs.count > 1 else { return [message] }
                return [
                    message.with { $0["runs"] = .array([runs[0]]) },
                    message.with { $0["runs"] = .array(Array(runs.dropFirst())) },
                ]
            }),
    ]

    /// Mistakes that only a client that resumes can see.
    static let patchesAfterResume: [ServerMistake] = [
        sent("does not send itemKey after a resume", by: "patches-10") { message, memory in
            if message["resumed"]?.bool == true { memory.count = 1 }
            if memory.count == 1, message.isA("attached") { message["itemKey"] = nil }
        },
        received("keeps patches for a client that resumes without them", by: "patches-11") {
            if $0.isA("hello"), $0["resume"] != nil {
                $0["features"] = .array([.string("patch")])
            }
        },
    ]

    private static func received(
        _ name: String, by subject: String, change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> ServerMistake {
        ServerMistake(
            name, in: .patches, by: subject,
            receivedChange: { message, _ in [message.with(change)] })
    }

    private static func sent(
        _ name: String, by subject: String,
        change: @escaping @Sendable (inout JSONValue, inout Memory) -> Void
    ) -> ServerMistake {
        ServerMistake(
            name, in: .patches, by: subject,
            sentChange: { message, memory in
                var changed = message
                change(&changed, &memory)
                return [changed]
            })
    }

    /// Changes the runs of patches, and sets the `count` of the message to that of the new runs.
    private static func changed(
        _ name: String, by subject: String,
        change: @escaping @Sendable (inout [JSONValue]) -> Void
    ) -> ServerMistake {
        sent(name, by: subject) { message, _ in
            guard var runs = message["runs"]?.array else { return }
            change(&runs)
            message["runs"] = .array(runs)
            let counts = runs.map { Double($0["items"]?.array?.count ?? 0) }
            let kept = runs.compactMap { $0["count"]?.number }
            message["count"] = .number((counts + kept).reduce(0, +))
        }
    }

    private static func becomePatch(_ message: inout JSONValue) {
        guard let items = message["items"] else { return }
        message["mode"] = .string("patch")
        message["runs"] = .array([.object([.init("items", items)])])
        message["items"] = nil
    }

    /// Returns the list after an `items` message; nil after another message.
    private static func list(after message: JSONValue, _ memory: Memory) -> [JSONValue]? {
        if let items = message["items"]?.array { return items }
        guard let runs = message["runs"]?.array else { return nil }
        let old = memory.values["list"]?.array ?? []
        return runs.flatMap { run -> [JSONValue] in
            if let items = run["items"]?.array { return items }
            let start = old.firstIndex { $0["id"] == run["from"] } ?? 0
            return Array(old[start...].prefix(Int(run["count"]?.number ?? 0)))
        }
    }
}
