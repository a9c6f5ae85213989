internal import RefreshProtocol
internal import ScenarioKit

/// Cases about patches. They are written as code, because they apply the patches of a server and
/// compare the resulting list with the items of the feed, which patterns cannot do.
extension ConformanceSuite {
    static let patches =
        edits.enumerated().map { index, edit in
            patchCase(
                index + 12, "\(edit.name)-items",
                "After \(edit.what), the runs of a patch state"
                    + " the new list, and after the reverse edit the old list again.",
                "The runs fit the list, and make the items of the feed."
            ) { session throws(StepFailure) in
                try await session.followEdits(edit.edits)
            }
        } + [
            patchCase(
                17, "patch-after-further-pages",
                "The items of further pages belong to the list from which a patch starts.",
                "After a refresh at depth, the runs make the items of both pages."
            ) { session throws(StepFailure) in
                try await session.beginPatches(
                    "oc", "{depth: keep, minVisible: 0, closing: atOnce}")
                for request in ["refresh", "loadMore", "refresh"] {
                    try await session.play("\(request) list\nexpect items list {count: *}")
                }
                try session.expectList(Array(EditedCatalogue.items("c").prefix(40)))
            },
            patchCase(
                18, "patch-if-smaller",
                "If few items have changed, the new list should be sent as a patch.",
                "A patch after the first list.", level: .should
            ) { session throws(StepFailure) in
                try await session.beginPatches("oc")
                try await session.play(
                    """
                    refresh list
                    expect items list {mode: replace}
                    refresh list
                    expect items list {mode: patch, count: 20, items: absent}
                    """)
            },
        ]

    private static let edits: [(name: String, what: String, edits: String)] = [
        ("unchanged", "a refresh that changes nothing", "oo"),
        ("inserted", "the insertion of an item", "oio"),
        ("changed", "a change of an item", "oco"),
        ("removed", "the removal of two items", "oro"),
        ("moved", "a move of ten items", "omo"),
    ]

    private static func patchCase(
        _ number: Int, _ name: String, _ description: String, _ expectation: String,
        level: ConformanceCase.Level = .must,
        _ exchange: @escaping @Sendable (ConformanceSession) async throws(StepFailure) -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            id: "patches-\(number)", group: .patches, name: name, description: description,
            expectation: expectation, reference: "docs/protocol.md#patches", level: level,
            requirements: [.features(["patch"]), .feed("edited")], durationMsMin: 0,
            body: .exchange(exchange))
    }
}

extension ConformanceSession {
    /// Attaches a view with the feed `edited`, whose first pages follow the letters of `edits`.
    /// `top` has the options of the refresh edge.
    fileprivate func beginPatches(
        _ edits: String, _ top: String = "$quick"
    ) async throws(StepFailure) {
        try await play(
            """
            hello {features: [patch]}
            expect welcome {session: ?session}
            attach list {profile: default, feed: edited, parameters: {tag: $session, edits: \(edits)},
              geometry: $size, top: \(top), bottom: $end}
            expect attached list
            """)
    }

    /// Refreshes once for each letter of `edits`, and compares the list with the feed each time.
    fileprivate func followEdits(_ edits: String) async throws(StepFailure) {
        try await beginPatches(edits)
        for edit in edits {
            try await play("refresh list\nexpect items list {count: *}")
            try expectList(Array(EditedCatalogue.items(edit).prefix(20)))
        }
    }

    /// Applies all `items` messages, and compares the resulting list.
    fileprivate func expectList(_ expected: [JSONValue]) throws(StepFailure) {
        var list = PatchedItems()
        for exchange in transcript.flatMap(\.exchanges) where exchange.side == .daemon {
            guard let frame = try? JSONValue(parsing: exchange.text) else { continue }
            for message in frame.array ?? [frame] where message["type"]?.string == "items" {
                try list.apply(message)
            }
        }
        guard list.items == expected else {
            throw StepFailure(
                expected: "the items \(JSONValue.array(expected).text)",
                came: JSONValue.array(list.items).text)
        }
    }
}

/// The list of a client that applies patches. Source: docs/protocol.md, "Patches".
private struct PatchedItems {
    private(set) var items: [JSONValue] = []

    /// Applies an `items` message.
    mutating func apply(_ message: JSONValue) throws(StepFailure) {
        let page = message["items"]?.array ?? []
        switch message["mode"]?.string {
        case "append": items += page
        case "prepend": items = page + items
        case "patch": items = try patched(message)
        default: items = page
        }
    }

    private func patched(_ message: JSONValue) throws(StepFailure) -> [JSONValue] {
        var new: [JSONValue] = []
        let runs = message["runs"]?.array ?? []
        for run in runs {
            if let added = run["items"]?.array {
                new += added
                continue
            }
            let positions = items.indices.filter { items[$0]["id"] == run["from"] }
            guard positions.count == 1 else {
                throw failure("`from` is the key of exactly one item of the list", run)
            }
            let count = run["count"]?.number.flatMap { Int(exactly: $0) } ?? 0
            guard count > 0, positions[0] + count <= items.count else {
                throw failure("`count` items of the list follow", run)
            }
            new += items[positions[0]..<positions[0] + count]
        }
        guard message["count"]?.number == Double(new.count) else {
            throw failure("`count` is \(new.count), the number of items of the runs", message)
        }
        guard Set(new.map { $0["id"] }).count == new.count else {
            throw failure("each key occurs in the new list once", message)
        }
        let bytes = JSONValue.array(new).text.utf8.count
        guard JSONValue.array(runs).text.utf8.count * 4 <= bytes * 3 else {
            throw failure("`runs` has at most three quarters of \(bytes) bytes", message)
        }
        return new
    }

    private func failure(_ expected: String, _ came: JSONValue) -> StepFailure {
        StepFailure(expected: "a patch in which \(expected)", came: came.text)
    }
}
