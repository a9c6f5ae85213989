internal import RefreshProtocol
internal import ScenarioKit

/// Cases for the limits that a server announces. A message within a limit is handled, and a message
/// beyond the limit gets an error. The server announces the limits in `welcome`.
extension ConformanceSuite {
    static let limits: [ConformanceCase] = [
        limitCase(
            1, "limits-are-announced", "`welcome` contains the limits that apply to the client.",
            expects: "Every limit of the protocol, as a number of 0 or more."
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect next welcome {limits: \(announcedLimits)}")
        },
        limitCase(
            2, "frame-of-full-size", "A message of `frameBytesMax` bytes is accepted.",
            expects: "A `ping` with that many bytes is answered.", needs: ["frameBytesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let ping = #"{"type":"ping","t":7}"#
            let bytes = session.limit("frameBytesMax")
            try await session.send(
                ping + String(repeating: " ", count: max(0, bytes - ping.utf8.count)))
            try await session.play("expect pong {t: 7}")
        },
        limitCase(
            3, "frame-too-large",
            "A message larger than `frameBytesMax` causes a fault and closes with 1009.",
            expects: "The fault frameTooLarge, then the close.", at: "transport",
            needs: ["frameBytesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let ping = #"{"type":"ping","t":7}"#
            try await session.send(
                ping + String(repeating: " ", count: session.limit("frameBytesMax")))
            try await session.play("expect error {code: frameTooLarge}\nexpect close 1009")
        },
        limitCase(
            4, "string-of-full-size", "A string of `stringBytesMax` bytes is accepted.",
            expects: "A `ping` with such a field is answered.", needs: ["stringBytesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let text = String(repeating: "x", count: session.limit("stringBytesMax"))
            try await session.send(#"{"type":"ping","t":7,"note":"\#(text)"}"#)
            try await session.play("expect pong {t: 7}")
        },
        limitCase(
            5, "string-too-long", "A string longer than `stringBytesMax` causes a fault.",
            expects: "The fault stringTooLong; the session continues.", needs: ["stringBytesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let text = String(repeating: "x", count: session.limit("stringBytesMax") + 1)
            try await session.send(#"{"type":"ping","t":7,"note":"\#(text)"}"#)
            try await session.play(
                "expect error {code: stringTooLong}\nping {t: 8}\nexpect pong {t: 8}")
        },
        limitCase(
            6, "depth-exceeded", "Values nested deeper than `jsonDepthMax` cause a fault.",
            expects: "The fault depthExceeded; the session continues.", needs: ["jsonDepthMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            try await session.send(nestedPing(session.limit("jsonDepthMax") + 1))
            try await session.play(
                "expect error {code: depthExceeded}\nping {t: 8}\nexpect pong {t: 8}")
        },
        limitCase(
            7, "full-depth", "Values nested as deep as `jsonDepthMax` are accepted.",
            expects: "A `ping` with such a field is answered.", needs: ["jsonDepthMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            try await session.send(nestedPing(session.limit("jsonDepthMax")))
            try await session.play("expect pong {t: 7}")
        },
        limitCase(
            8, "full-batch", "A batch of `batchMessagesMax` messages is accepted.",
            expects: "Each `ping` is answered, in order.", at: "frames-batches-fields",
            needs: ["batchMessagesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let count = session.limit("batchMessagesMax")
            try await session.send(pingBatch(of: count))
            try await session.play("expect next pong {t: 1}\nexpect pong {t: \(count)}")
        },
        limitCase(
            9, "batch-too-long", "A batch of more than `batchMessagesMax` messages causes a fault.",
            expects: "The fault batchTooLong; the session continues.", needs: ["batchMessagesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            try await session.send(pingBatch(of: session.limit("batchMessagesMax") + 1))
            try await session.play(
                "expect error {code: batchTooLong}\nping {t: 0}\nexpect pong {t: 0}")
        },
        limitCase(
            10, "offset-beyond-bounds", "An offset beyond `geometryPointsMax` causes a fault.",
            expects: "The fault valueOutOfRange with the field; the bound itself is accepted.",
            needs: ["geometryPointsMax"]
        ) { session throws(StepFailure) in
            let bound = session.limit("geometryPointsMax")
            try await session.play(
                """
                hello
                attach list {profile: default, geometry: $size}
                expect attached list
                scroll list {offset: \(bound + 1), phase: idle}
                expect error {code: valueOutOfRange, field: offset, view: list}
                geometry list {content: {height: \(bound), width: 390}}
                """)
        },
        limitCase(
            11, "velocity-beyond-bounds", "A velocity beyond `velocityMax` causes a fault.",
            expects: "The fault valueOutOfRange with the field.", needs: ["velocityMax"]
        ) { session throws(StepFailure) in
            try await session.play(
                """
                hello
                attach list {profile: default, geometry: $size}
                expect attached list
                scroll list {offset: 0, phase: ended, velocity: \(session.limit("velocityMax") + 1)}
                expect error {code: valueOutOfRange, field: velocity, view: list}
                """)
        },
        limitCase(
            12, "too-many-views", "A session has at most `viewsPerSessionMax` views.",
            expects:
                "The last allowed view is attached; the next one is the fault tooManyViews.",
            needs: ["viewsPerSessionMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let count = session.limit("viewsPerSessionMax")
            for number in 1...max(1, count) {
                try await session.play("attach v\(number) {profile: default}")
            }
            try await session.play(
                """
                expect attached v\(count)
                attach more {profile: default}
                expect error {code: tooManyViews, view: more}
                """)
        },
        limitCase(
            13, "page-size", "A page has at most `pageSizeMax` items.",
            expects: "A larger `paging.size` is a fault, and the view is not attached.",
            at: "paging", needs: ["pageSizeMax"]
        ) { session throws(StepFailure) in
            try await session.play(
                """
                hello
                attach list {profile: default, paging: {size: \(session.limit("pageSizeMax") + 1)}}
                expect error {view: list, field: *}
                detach list
                expect error {code: unknownView}
                """)
        },
    ]

    static func limitCase(
        _ number: Int, _ name: String, _ description: String, expects expectation: String,
        at anchor: String = "limits", needs limits: [String] = [], takes durationMsMin: Double = 0,
        _ exchange: @escaping @Sendable (ConformanceSession) async throws(StepFailure) -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            id: "limits-\(number < 10 ? "0" : "")\(number)", group: .limits, name: name,
            description: description, expectation: expectation,
            reference: "docs/protocol.md#\(anchor)", level: .must,
            // If the value of a limit is 0, the server has no such limit, and a case cannot exceed
            // it. `limitAtMost` therefore requires a limit above 0.
            requirements: limits.map { .limitAtMost($0, 20_000_000) }, durationMsMin: durationMsMin,
            body: .exchange(exchange))
    }

    /// Returns a `ping` whose values are nested to the depth `depth`.
    private static func nestedPing(_ depth: Int) -> String {
        let open = String(repeating: "[", count: max(0, depth - 1))
        let close = String(repeating: "]", count: max(0, depth - 1))
        return #"{"type":"ping","t":7,"note":\#(open)\#(close)}"#
    }

    private static func pingBatch(of count: Int) -> String {
        "[" + (1...max(1, count)).map { #"{"type":"ping","t":\#($0)}"# }.joined(separator: ",")
            + "]"
    }

    /// The limits that a server must announce, so that clients can stay within them.
    private static let announcedLimits =
        "{"
        + [
            "frameBytesMax", "jsonDepthMax", "stringBytesMax", "batchMessagesMax",
            "geometryPointsMax", "velocityMax", "pageSizeMax", "viewsPerSessionMax",
            "faultBudgetMax", "framesPerSecondMax", "receivedBytesPerSecondMax", "helloTimeoutMs",
            "gestureSilenceMs", "loadDeadlineMs", "heartbeatMs", "resumeWindowMs", "idleTimeoutMs",
        ].map { "\($0): >=0" }.joined(separator: ", ") + "}"
}
