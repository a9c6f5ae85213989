import Conformance
import RefreshProtocol

/// Mistakes in the feature `live`. Each mistake names the case that catches it. Source:
/// docs/protocol.md, "Live items".
extension ServerMistake {
    static let live = liveOptions + liveReactions + livePaging + liveOperations

    /// Mistakes in what is announced and configured.
    private static let liveOptions: [ServerMistake] = [
        assumes(["patch", "live"], by: "live-01"), assumes(["patch", "live"], by: "live-02"),
        says("has another default of `arrivals`", by: "live-03") { message, _ in
            if message.isA("attached") { message[at: "top.arrivals"] = .string("insert") }
        },
        says("does not confirm `arrivals`", by: "live-04") { message, _ in
            message[at: "top.arrivals"] = nil
        },
        hears("ignores `arrivals` in `configure`", by: "live-43") { message, _ in
            if message.isA("configure") { message[at: "top.arrivals"] = nil }
        },
        hears("ignores `arrivals` in `attach`", by: "live-05") { message, _ in
            if message.isA("attach") { message[at: "top.arrivals"] = nil }
        },
        hears("does not know `stick`", by: "live-06") { message, _ in
            if message[at: "top.arrivals"]?.string == "stick" {
                message[at: "top.arrivals"] = .string("insert")
            }
        },
        takes("pill", as: "insert", by: "live-08"), takes("insert", as: "pill", by: "live-11"),
        takes("stick", as: "pill", by: "live-12"), takes("stick", as: "insert", by: "live-13"),
    ]

    /// Mistakes in when operations are sent.
    private static let liveReactions: [ServerMistake] = [
        says("states the page of operations", by: "live-07") { message, _ in
            guard message.hasOperations else { return }
            message["page"] = .number(1)
            message["offset"] = .number(0)
        },
        adds("sends `loading` with operations", by: "live-07") { message, memory in
            if message.isA("loading") { memory.values["began"] = memory.values["began"] ?? message }
            guard message.hasOperations, let began = memory.values["began"] else { return [] }
            return [began.with { $0["view"] = message["view"] }]
        },
        says("does not count arrivals", by: "live-08") { message, _ in
            message["newerCount"] = nil
        },
        hears("loads the newest items for a `reveal`", by: "live-09") { message, _ in
            if message.isA("reveal") { message["type"] = .string("refresh") }
        },
        says("keeps the cue after a refresh", by: "live-10") { message, _ in
            if message["newer"]?.bool == false { message["newer"] = nil }
        },
        takesForRest(["began", "ended"], by: "live-14"),
        takesForRest(["began", "dragging", "ended", "decelerating"], by: "live-15"),
        ServerMistake(
            "sends operations before the items of a refresh", in: .live, by: "live-16",
            sentChange: { message, memory in
                guard message.isA("items"), message["view"]?.string == "list" else {
                    return [message]
                }
                memory.count += 1
                if memory.count == 2 {
                    memory.values["held"] = message
                    return []
                }
                return [message]
                    + (memory.count == 3 ? [memory.values["held"]].compactMap { $0 } : [])
            }),
        hears("applies operations although changes are ignored", by: "live-17") { message, _ in
            if message["view"]?.string == "list" { message[at: "top.changes"] = nil }
        },
        reports("takes a report for one of each query", by: "live-18") {
            $0.replacing(",'parameters':{'tag':'else'}", with: "")
        },
        adds("shows a cue for operations", by: "live-19") { message, _ in
            guard message.hasOperations else { return [] }
            return [
                .object([
                    .init("type", .string("update")), .init("view", .string("list")),
                    .init("ack", .number(0)), .init("newer", .bool(true)),
                ])
            ]
        },
        reports("sends any number of operations", by: "live-20") {
            $0 == "101" ? "100" : $0
        },
        reports("sends any number of operations instead of a refresh", by: "live-44") {
            $0 == "101" ? "100" : $0
        },
        adds("refreshes again for too many operations", by: "live-44") { message, memory in
            if message["cause"]?.string == "changed" { memory.values["began"] = message }
            guard message.isA("items"), let began = memory.values["began"] else { return [] }
            return [began.with { $0["load"] = .string("99.1") }]
        },
        hears("does not refresh for an unknown item", by: "live-21") { message, _ in
            if message[at: "top.changes"]?.string == "silent" {
                message[at: "top.changes"] = .string("cue")
            }
        },
    ]

    private static let livePaging: [ServerMistake] = [
        says("requests the next page although items were removed", by: "live-22") { message, _ in
            if message["kind"]?.string == "more" { message["page"] = .number(2) }
        },
        says("requests the next page although items were inserted", by: "live-23") { message, _ in
            if message["kind"]?.string == "more" { message["page"] = .number(2) }
        },
        says("patches the list before the operations", by: "live-24") { message, _ in
            guard message["runs"] != nil else { return }
            message["runs"] = .array([
                .object([.init("from", .number(0)), .init("count", .number(20))])
            ])
        },
    ]

    /// Mistakes in the operations.
    private static let liveOperations: [ServerMistake] =
        [
            ("live-27", "start", "end"), ("live-28", "end", "start"), ("live-34", "start", "end"),
            ("live-35", "end", "start"),
        ].map { subject, place, other in
            says("takes the \(place) for the \(other)", by: subject) { message, _ in
                message.changeOperations {
                    if $0["at"]?.string == place { $0["at"] = .string(other) }
                }
            }
        }
        + [
            ("live-29", "before", "after"), ("live-30", "after", "before"),
            ("live-36", "before", "after"), ("live-37", "after", "before"),
        ].map { subject, place, other in
            says("takes `\(place)` for `\(other)`", by: subject) { message, _ in
                message.changeOperations { $0.rename(place, to: other) }
            }
        }
        + ["live-31", "live-41"].map { subject in
            says("reverses the operations", by: subject) { message, _ in
                guard let operations = message["operations"]?.array else { return }
                message["operations"] = .array(operations.reversed())
            }
        } + liveItems

    private static let liveItems: [ServerMistake] = [
        says("moves an item that it updates", by: "live-32") { message, _ in
            guard let item = message["operations"]?.array?.first?["update"] else { return }
            message["operations"] = .array([
                .object([.init("remove", item["id"] ?? .null)]),
                .object([.init("insert", item), .init("at", .string("start"))]),
            ])
        },
        says("removes the neighbour of an item", by: "live-33") { message, _ in
            message.changeOperations { $0["remove"] = .number(($0["remove"]?.number ?? 0) + 1) }
        },
        says("names keys as text", by: "live-37") { message, _ in
            message.changeOperations { $0["move"] = .string($0["move"]?.text ?? "") }
        },
        says("inserts an item that the list has", by: "live-38") { message, _ in
            message.changeOperations {
                $0.rename("update", to: "insert")
                $0["at"] = .string("start")
            }
        },
        says("sends operations on items of later pages", by: "live-39") { message, _ in
            guard let operations = message["operations"]?.array else { return }
            message["operations"] = .array(
                operations + [.object([.init("remove", .number(40))])])
        },
        says("keeps an item that moves to a later page", by: "live-40") { message, _ in
            guard message.hasOperations else { return }
            message["count"] = .number(20)
            message.changeOperations {
                $0.rename("remove", to: "move")
                $0["at"] = .string("end")
            }
        },
        says("counts the items before the operations", by: "live-33") { message, _ in
            if message.hasOperations { message["count"] = .number(20) }
        },
        ServerMistake(
            "sends each operation in a message", in: .live, by: "live-41",
            sentChange: { message, _ in
                guard let operations = message["operations"]?.array else { return [message] }
                return operations.map { operation in
                    message.with { $0["operations"] = .array([operation]) }
                }
            }),
        says("repeats the load of the list", by: "live-42") { message, memory in
            guard message.isA("items"), message["view"]?.string == "list" else { return }
            if message.hasOperations { message["load"] = memory.values["load"] }
            memory.values["load"] = message["load"]
        },
    ]

    /// Mistakes that only a client that resumes can see.
    static let liveAfterResume: [ServerMistake] = [
        omits("forgets the operations of an absence", by: "live-25") { $0.hasOperations },
        assumes(["patch", "live"], by: "live-26", isResuming: true),
    ]

    private static func takes(
        _ value: String, as other: String, by subject: String
    ) -> ServerMistake {
        hears("treats \(value) as \(other)", by: subject) { message, _ in
            guard message.isA("attach"), message["view"]?.string == "list",
                message[at: "top.arrivals"]?.string ?? "pill" == value
            else { return }
            message[at: "top.arrivals"] = .string(other)
        }
    }

    /// The mistake of a server that reads a report differently.
    private static func reports(
        _ name: String, by subject: String, change: @escaping @Sendable (String) -> String
    ) -> ServerMistake {
        hears(name, by: subject) { message, _ in
            guard let report = message[at: "parameters.report"]?.string else { return }
            message[at: "parameters.report"] = .string(change(report))
        }
    }
}
