internal import ScenarioKit

/// Cases that exceed the rates that a server allows.
extension ConformanceSuite {
    static let floods: [ConformanceCase] = [
        limitCase(
            14, "too-many-faults",
            "If a session causes more faults than its budget allows, the server closes with 4002.",
            expects: "A fault for each invalid message, then tooManyFaults and the close.",
            at: "faults",
            needs: ["faultBudgetMax"]
        ) { session throws(StepFailure) in
            session.acceptsUnexpectedErrors = true
            try await session.play("hello\nexpect welcome")
            // The flood has a few more frames than the budget, because the server restores a part
            // of the budget during the flood.
            try await session.flood(
                #"{"type":"dance"}"#, count: session.limit("faultBudgetMax") + 10)
            try await session.play("expect error {code: tooManyFaults}\nexpect close 4002")
        },
        limitCase(
            15, "too-many-frames",
            "A session may send `framesPerSecondMax` frames per second on average, and a burst "
                + "of twice as many.",
            expects: "A burst of six times as many: tooManyFrames and a close with 4104.",
            at: "frames-batches-fields", needs: ["framesPerSecondMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let count = session.limit("framesPerSecondMax")
            try await session.flood(#"{"type":"ping","t":1}"#, count: count * 6)
            try await session.play("expect error {code: tooManyFrames}\nexpect close 4104")
        },
        limitCase(
            16, "too-many-bytes",
            "A session may send `receivedBytesPerSecondMax` bytes per second on average, and a "
                + "burst of twice as many.",
            expects: "A burst of six times as many: tooManyBytes and a close with 4104.",
            at: "frames-batches-fields", needs: ["receivedBytesPerSecondMax", "frameBytesMax"]
        ) { session throws(StepFailure) in
            try await session.play("hello\nexpect welcome")
            let ping = #"{"type":"ping","t":1}"#
            let bytes = max(1024, session.limit("frameBytesMax"))
            let frame = ping + String(repeating: " ", count: bytes - ping.utf8.count)
            let count = session.limit("receivedBytesPerSecondMax") / bytes
            try await session.flood(frame, count: (count + 1) * 6)
            try await session.play("expect error {code: tooManyBytes}\nexpect close 4104")
        },
    ]
}
