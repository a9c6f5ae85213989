internal import RefreshProtocol
internal import ScenarioKit

/// Cases about the bounds of edits. They are written as code, because they send many edits, or a
/// long one.
extension ConformanceSuite {
    static let editBounds = [
        editCase(
            37, "too-many-edits", "A view has at most 32 edits without an answer.",
            "The 33rd edit is rolled back with the code `tooManyEdits`, and the others are not."
        ) { session throws(StepFailure) in
            try await session.beginEdits()
            for number in 1...33 {
                try await session.play(
                    "edit list {edit: edit-00\(number < 10 ? "0" : "")\(number),"
                        + " operation: {remove: 3}, delayMs: 60000}")
            }
            try await session.play(
                """
                expect next edited list {edit: edit-0033, result: rolledBack, code: tooManyEdits}
                undo list {edit: edit-0001}
                expect edited list {edit: edit-0001, result: rolledBack, code: undone}
                edit list {edit: edit-0034, operation: {remove: 3}, delayMs: 60000}
                expect no edited list for 50ms
                """)
        },
        editCase(
            38, "too-many-edits-under-a-finger",
            "An answer with the code `tooManyEdits` does not wait for the finger.",
            "`tooManyEdits` while the finger is down."
        ) { session throws(StepFailure) in
            try await session.beginEdits()
            try await session.play("scroll list {phase: began, offset: 100}")
            for number in 1...33 {
                try await session.play(
                    "edit list {edit: edit-00\(number < 10 ? "0" : "")\(number),"
                        + " operation: {remove: 3}, delayMs: 60000}")
            }
            try await session.play(
                "expect edited list {edit: edit-0033, result: rolledBack, code: tooManyEdits}")
        },
        editCase(
            39, "operation-too-long", "An operation has at most 16,384 bytes.",
            "The fault valueOutOfRange for a longer operation, and none for a shorter one."
        ) { session throws(StepFailure) in
            try await session.beginEdits()
            let words = { (count: Int) in
                let word = "\"" + String(repeating: "x", count: 500) + "\""
                return "[" + [String](repeating: word, count: count).joined(separator: ",") + "]"
            }
            try await session.play(
                """
                edit list {edit: edit-0001, operation: {insert: {id: 100, words: \(words(40))}, at: start}}
                expect error {code: valueOutOfRange, field: operation, view: list}
                edit list {edit: edit-0002, operation: {insert: {id: 100, words: \(words(30))}, at: start}}
                expect edited list {edit: edit-0002, result: confirmed}
                """)
        },
        editCase(
            40, "edited-once", "The daemon answers each edit by exactly one `edited`.",
            "One `edited` for each of four edits, and a list that has all of them once."
        ) { session throws(StepFailure) in
            try await session.beginEdits()
            let operations = [
                "{insert: {id: 100, word: new}, at: start}", "{update: {id: 5, word: changed}}",
                "{remove: 0}", "{move: 3, before: 1}",
            ]
            for (index, operation) in operations.enumerated() {
                try await session.play(
                    """
                    edit list {edit: edit-000\(index), operation: \(operation)}
                    expect edited list {edit: edit-000\(index), result: confirmed}
                    """)
            }
            try await session.play("expect no edited list for 200ms")
            let catalogue = EditedCatalogue.items("o")
            var list = [catalogue[3], catalogue[1], catalogue[2]] + catalogue[4..<20]
            list[3 + 1] = item(5, "changed")
            try session.expectList([item(100, "new")] + list)
        },
    ]

    private static func item(_ id: Double, _ word: String) -> JSONValue {
        .object([.init("id", .number(id)), .init("word", .string(word))])
    }

    private static func editCase(
        _ number: Int, _ name: String, _ description: String, _ expectation: String,
        _ exchange: @escaping @Sendable (ConformanceSession) async throws(StepFailure) -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            id: "edits-\(number)", group: .edits, name: name, description: description,
            expectation: expectation, reference: "docs/protocol.md#edits", level: .must,
            requirements: [.features(["patch", "live", "edits"]), .feed("board")],
            durationMsMin: 0, body: .exchange(exchange))
    }
}

extension ConformanceSession {
    /// Loads the first page of the feed `board`.
    fileprivate func beginEdits() async throws(StepFailure) {
        try await play(
            """
            hello {features: [patch, live, edits]}
            attach list {profile: default, feed: board, geometry: $size, top: $quick}
            expect attached list
            refresh list
            expect items list {mode: replace}
            """)
    }
}
