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
}
