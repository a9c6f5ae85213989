internal import RefreshProtocol
internal import ScenarioKit

/// Cases that compare times of the server's clock.
extension ConformanceSuite {
    static let clocks = [
        clockCase(
            "session-38", .session, "the-clock-advances",
            "`time` of `pong` is the server's clock, in milliseconds.",
            expects: "It advances by the time of a wait, and not by a thousand times as much.",
            at: "error-pong"
        ) { session throws(StepFailure) in
            try await session.play(
                """
                hello
                ping {t: 1}
                expect pong {t: 1, time: ?before}
                wait 50ms
                ping {t: 2}
                expect pong {t: 2, time: ?after}
                """)
            try session.expectElapsed("before", "after", atLeastMs: 40, atMostMs: 30_000)
        },
        clockCase(
            "session-39", .session, "welcome-has-the-same-clock",
            "`time` of `welcome` and of `pong` are times of the same clock.",
            expects:
                "The time of `welcome` lies between the times of a `pong` before it and of one "
                + "after it.",
            at: "welcome"
        ) { session throws(StepFailure) in
            try await session.play(
                """
                ping {t: 1}
                expect pong {t: 1, time: ?before}
                wait 50ms
                hello
                expect welcome {time: ?greeted}
                ping {t: 2}
                expect pong {t: 2, time: ?after}
                """)
            try session.expectElapsed("before", "greeted", atLeastMs: 40)
            try session.expectElapsed("greeted", "after")
        },
        clockCase(
            "pull-54", .pull, "when-it-was-refreshed",
            "`lastUpdated` is the daemon's time of the last successful refresh.",
            expects:
                "After each of two refreshes it lies between the times of a `pong` before the "
                + "answer and of one after it.",
            at: "update"
        ) { session throws(StepFailure) in
            try await session.play(
                """
                hello
                attach list {profile: default, geometry: $size, top: $quick, bottom: null}
                expect attached list
                """)
            for _ in 1...2 {
                try await session.play(
                    """
                    refresh list
                    expect load list
                    ping {t: 1}
                    expect pong {t: 1, time: ?before}
                    wait 50ms
                    finish list success {count: 10}
                    expect update list {lastUpdated: ?updated}
                    ping {t: 2}
                    expect pong {t: 2, time: ?after}
                    """)
                try session.expectElapsed("before", "updated", atLeastMs: 40)
                try session.expectElapsed("updated", "after")
            }
        },
    ]

    private static func clockCase(
        _ id: String, _ group: ConformanceGroup, _ name: String, _ description: String,
        expects expectation: String, at anchor: String,
        _ exchange: @escaping @Sendable (ConformanceSession) async throws(StepFailure) -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            id: id, group: group, name: name, description: description, expectation: expectation,
            reference: "docs/protocol.md#\(anchor)", level: .must,
            requirements: [], durationMsMin: 0, body: .exchange(exchange))
    }
}
