internal import RefreshProtocol
internal import ScenarioKit

/// Cases about operations of live items. They are written as code, because they apply the
/// operations of a server and compare the resulting list.
extension ConformanceSuite {
    /// A report, and the list that it makes of the first items of the feed `board`.
    private struct LiveReport {
        var name: String
        var what: String
        /// The number of pages that the list has before, each of 20 items.
        var pages = 1
        /// The operations of the report. The text has `'` in place of `"`.
        var operations: String
        /// The list afterwards, as `list(_:)` reads it.
        var list: String
    }

    private static let new = "{'id':100,'word':'new'}"

    private static let liveReports = [
        LiveReport(
            name: "insert-at-the-start", what: "the insertion of an item at the start",
            operations: "[{'insert':\(new),'at':'start'}]", list: "100 0-19"),
        LiveReport(
            name: "insert-at-the-end", what: "the insertion of an item at the end of the feed",
            pages: 3, operations: "[{'insert':\(new),'at':'end'}]", list: "0-59 100"),
        LiveReport(
            name: "insert-before", what: "the insertion of an item before another item",
            operations: "[{'insert':\(new),'before':5}]", list: "0-4 100 5-19"),
        LiveReport(
            name: "insert-after", what: "the insertion of an item after another item",
            operations: "[{'insert':\(new),'after':5}]", list: "0-5 100 6-19"),
        LiveReport(
            name: "insert-two-at-the-start",
            what: "two insertions at the start, of which the later one comes first",
            operations:
                "[{'insert':\(new),'at':'start'},{'insert':{'id':101,'word':'new'},'at':'start'}]",
            list: "101 100 0-19"),
        LiveReport(
            name: "update-in-place", what: "the update of an item, which keeps its place",
            operations: "[{'update':{'id':5,'word':'changed'}}]", list: "0-4 5=changed 6-19"),
        LiveReport(
            name: "remove-item", what: "the removal of an item", operations: "[{'remove':0}]",
            list: "1-19"),
        LiveReport(
            name: "move-to-the-start", what: "a move to the start",
            operations: "[{'move':7,'at':'start'}]", list: "7 0-6 8-19"),
        LiveReport(
            name: "move-to-the-end", what: "a move to the end of the feed", pages: 3,
            operations: "[{'move':7,'at':'end'}]", list: "0-6 8-59 7"),
        LiveReport(
            name: "move-before", what: "a move before another item",
            operations: "[{'move':3,'before':10}]", list: "0-2 4-9 3 10-19"),
        LiveReport(
            name: "move-after", what: "a move after another item",
            operations: "[{'move':10,'after':3}]", list: "0-3 10 4-9 11-19"),
        LiveReport(
            name: "insert-of-a-known-key",
            what: "an insertion of an item that the list has, which counts as an update",
            operations: "[{'insert':{'id':5,'word':'changed'},'at':'start'}]",
            list: "0-4 5=changed 6-19"),
        LiveReport(
            name: "operations-of-later-pages",
            what: "operations on items of later pages, which do nothing",
            operations:
                "[{'remove':40},{'update':{'id':41,'word':'changed'}},{'insert':\(new),'after':42},{'remove':2}]",
            list: "0-1 3-19"),
        LiveReport(
            name: "move-to-a-later-page",
            what: "a move to an unknown place, which removes the item",
            operations: "[{'move':3,'after':40}]", list: "0-2 4-19"),
        LiveReport(
            name: "operations-in-order",
            what: "several operations, each of which concerns the list after the one before",
            operations:
                "[{'insert':\(new),'after':3},{'move':100,'before':1},{'update':{'id':100,'word':'changed'}},{'remove':3}]",
            list: "0 100=changed 1-2 4-19"),
    ]

    static let liveOperations =
        liveReports.enumerated().map { index, report in
            liveCase(
                index + 27, report.name,
                "A client that applies the operations has the list after \(report.what).",
                "Operations that fit the list, with its `count`, and the list \(report.list)."
            ) { session throws(StepFailure) in
                try await session.beginLive(report: report.operations, pages: report.pages)
                try session.expectList(list(report.list))
            }
        } + [
            liveCase(
                42, "load-of-its-own", "Items with operations have a `load` of their own.",
                "A `load` that no other message has named."
            ) { session throws(StepFailure) in
                try await session.beginLive(report: "[{'remove':3}]")
                let loads = session.receivedMessages().filter { $0["view"] == .string("list") }
                    .compactMap { $0["load"]?.string }
                guard let own = loads.last, !loads.dropLast().contains(own) else {
                    throw StepFailure(
                        expected: "a new `load`", came: loads.last ?? "no `load`")
                }
            }
        ]

    private static func liveCase(
        _ number: Int, _ name: String, _ description: String, _ expectation: String,
        _ exchange: @escaping @Sendable (ConformanceSession) async throws(StepFailure) -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            id: "live-\(number)", group: .live, name: name, description: description,
            expectation: expectation, reference: "docs/protocol.md#live-items", level: .must,
            requirements: [.features(["patch", "live"]), .feed("board")], durationMsMin: 0,
            body: .exchange(exchange))
    }

    /// Returns the items of a text such as `100 0-4 5=changed`: the item with the id 100, the
    /// items of the catalogue from 0 to 4, and the item 5 with another word.
    private static func list(_ text: String) -> [JSONValue] {
        text.split(separator: " ").flatMap { part -> [JSONValue] in
            let changed = part.split(separator: "=")
            let ends = changed[0].split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last else { return [] }
            return (first...last).map { id in
                let word = changed.count > 1 ? String(changed[1]) : EditedCatalogue.word(of: id)
                return .object([.init("id", .number(Double(id))), .init("word", .string(word))])
            }
        }
    }
}

extension ConformanceSession {
    /// Loads pages of the feed `board`, and lets another view cause the report.
    fileprivate func beginLive(
        report operations: String, pages: Int = 1
    ) async throws(StepFailure) {
        try await play(
            """
            hello {features: [patch, live]}
            attach list {profile: default, feed: board, geometry: $size, top: $inserting, bottom: $end}
            expect attached list
            refresh list
            expect items list {mode: replace, count: 20}
            """)
        for _ in 1..<pages {
            try await play("loadMore list\nexpect items list {mode: append, count: 20}")
        }
        try await play(
            """
            attach other {profile: default, feed: board, geometry: $size, top: $deaf,
              parameters: {report: "\(operations)"}}
            refresh other
            expect items list {mode: patch, operations: *}
            """)
    }
}
