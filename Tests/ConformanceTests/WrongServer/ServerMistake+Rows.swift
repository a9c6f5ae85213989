import Conformance
import RefreshProtocol

/// Mistakes in the feature `visibleRange`. Each mistake names the case that catches it. Source:
/// docs/protocol.md, "What is in sight".
extension ServerMistake {
    static let rows = rowOptions + rowLists + rowReports + rowRequests

    /// Mistakes in what is announced and configured.
    private static let rowOptions: [ServerMistake] = [
        assumes(["visibleRange"], by: "rows-01"),
        says("does not confirm the access", by: "rows-02") { message, _ in
            message[at: "paging.access"] = nil
        },
        says("leaves the load-more edge idle", by: "rows-02") { message, _ in
            if message[at: "bottom.state"]?.string == "disabled" {
                message[at: "bottom.state"] = .string("idle")
            }
        },
        hears("has random access by default", by: "rows-03") { message, _ in
            if message.isA("attach") {
                message["paging"] = .object([.init("access", .string("random"))])
            }
        },
        hears("accepts random access without a feed", by: "rows-04") { message, _ in
            message[at: "paging.access"] = nil
        },
        hears("accepts random access with cursors", by: "rows-05") { message, _ in
            message[at: "paging.access"] = nil
        },
        says("enables the load-more edge", by: "rows-30") { message, _ in
            if message[at: "bottom.state"]?.string == "disabled" {
                message[at: "bottom.state"] = .string("idle")
            }
        },
        hears("does not configure the access", by: "rows-33") { message, _ in
            if message.isA("configure") { message["paging"] = nil }
        },
        says("names keys with random access", by: "rows-34") { message, _ in
            if message.isA("attached") { message["itemKey"] = .string("/id") }
        },
    ]

    /// Mistakes in the list.
    private static let rowLists: [ServerMistake] =
        [
            says("does not state the number of rows", by: "rows-06") { message, _ in
                message["total"] = nil
            },
            says("states that more rows follow", by: "rows-06") { message, _ in
                if message["list"] != nil { message[at: "list.more"] = .bool(true) }
            },
            hears("ignores `initial`", by: "rows-08") { message, _ in message["initial"] = nil },
            says("appends each page", by: "rows-09") { message, _ in
                if isFill(message) { message["mode"] = .string("append") }
            },
            says("states another cause of a fill", by: "rows-09") { message, _ in
                if message["cause"]?.string == "fill" { message["cause"] = .string("code") }
            },
            adds("counts the items of a page as the list", by: "rows-10") { message, _ in
                guard isFill(message) else { return [] }
                let list = JSONValue.object([
                    .init("count", .number(20)), .init("more", .bool(false)),
                ])
                return [
                    .object([
                        .init("type", .string("update")), .init("view", .string("list")),
                        .init("ack", .number(0)), .init("list", list),
                    ])
                ]
            },
            says("counts rows from 1", by: "rows-13") { message, _ in
                guard isFill(message), let offset = message["offset"]?.number else { return }
                message["offset"] = .number(offset + 1)
            },
            says("keeps the number of rows", by: "rows-28") { message, _ in
                if message[at: "list.count"]?.number == 900 { message["list"] = nil }
            },
            says("keeps the load-more edge disabled", by: "rows-29") { message, _ in
                if message.isA("update") { message["bottom"] = nil }
            },
            says("states the number of the page as its position", by: "rows-35") { message, _ in
                if isFill(message) { message["offset"] = message["page"] }
            },
        ]

    /// Mistakes in what is read of the rows in sight.
    private static let rowReports: [ServerMistake] =
        ["rows-07", "rows-11"].map { subject in
            hears("does not read the rows of `geometry`", by: subject) { message, _ in
                if message.isA("geometry") { message["visible"] = nil }
            }
        }
        + ["rows-14", "rows-15", "rows-16", "rows-17"].map { subject in
            hears("does not check the rows in sight", by: subject) { message, _ in
                guard message["visible"] != nil else { return }
                message[at: "visible.first"] = .number(0)
                message[at: "visible.last"] = .number(9)
            }
        }
        + [
            hears("refreshes the first page", by: "rows-27") { message, _ in
                message["visible"] = nil
            },
            misses("keeps the pages after a `reset`", by: "rows-31") { $0.isA("reset") },
            hears("keeps the list after a query", by: "rows-32") { message, _ in
                message["parameters"] = nil
            },
            takesForRest(["began", "ended", "decelerating"], by: "rows-19"),
            misses("waits until the list rests", by: "rows-20") {
                $0["phase"]?.string == "decelerating"
            },
            hears("forgets a page whose load was cancelled", by: "rows-22") { message, memory in
                guard message["visible"] != nil else { return }
                memory.count += 1
                if memory.count > 1 { message["visible"] = nil }
            },
            hears("cancels the load of a neighbour", by: "rows-23") { message, _ in
                guard message[at: "visible.first"]?.number == 420 else { return }
                message[at: "visible.first"] = .number(820)
                message[at: "visible.last"] = .number(829)
            },
        ]

    /// Mistakes in what is requested.
    private static let rowRequests: [ServerMistake] = [
        ServerMistake(
            "requests a page again", in: .rows, by: "rows-12",
            sentChange: { message, memory in
                if message.isA("loading") {
                    memory.values["began"] = memory.values["began"] ?? message
                }
                return [message]
            },
            receivedChange: { message, memory in
                if message["visible"] != nil {
                    memory.count += 1
                    if memory.count == 3 {
                        memory.answers += [memory.values["began"]].compactMap { $0 }
                    }
                }
                return [message]
            }),
        omits("requests only the pages in sight", by: "rows-18") {
            isFill($0) && $0["offset"]?.number == 500
        },
        omits("does not report that a load was cancelled", by: "rows-21") {
            $0["phase"]?.string == "cancelled"
        },
        adds("has five loads at the same time", by: "rows-24") { message, memory in
            guard message["cause"]?.string == "fill" else { return [] }
            memory.count += 1
            return memory.count == 4 ? [message] : []
        },
        adds("requests a page that has failed at once", by: "rows-25") { message, memory in
            if message["phase"]?.string == "began" { memory.values["began"] = message }
            guard message["phase"]?.string == "failed" else { return [] }
            return [memory.values["began"]].compactMap { $0 }
        },
        misses("ignores `cancel`", by: "rows-26") { $0.isA("cancel") },
    ]

    /// Mistakes that only a client that resumes can see.
    static let rowsAfterResume: [ServerMistake] = [
        assumes([], by: "rows-36", isResuming: true),
        assumes(["visibleRange"], by: "rows-37", isResuming: true),
    ]

    private static func isFill(_ message: JSONValue) -> Bool {
        message["mode"]?.string == "fill"
    }
}
