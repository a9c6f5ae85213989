internal import RefreshProtocol
internal import ScenarioKit

/// Cases about the items of pages and about resume tokens. They are written as code, because they
/// compare two values from a server with each other, which patterns cannot do.
extension ConformanceSuite {
    static let items = [
        ConformanceCase(
            id: "paging-21", group: .paging, name: "count-is-of-the-items",
            description: "`count` of `items` is the number of items in it.",
            expectation: "`items` contains as many items as `count` states.",
            reference: "docs/protocol.md#items", level: .must,
            requirements: [.feed(ServerRequirement.commonFeed)], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play(
                    """
                    hello
                    attach list {profile: default, feed: packages, geometry: $size, top: $quick, bottom: $end}
                    expect attached list
                    refresh list
                    expect items list {count: ?count, items: ?items}
                    """)
                let count = session.variable("items")?.array?.count ?? 0
                guard session.variable("count")?.number == Double(count) else {
                    throw StepFailure(
                        expected: "a count of \(count)",
                        came: session.variable("count")?.text ?? "nothing")
                }
            }),
        ConformanceCase(
            id: "paging-24", group: .paging, name: "the-last-page",
            description: "`more` of `items` states whether another page exists.",
            expectation:
                "For each page the same value as in `list`, until the last page.",
            reference: "docs/protocol.md#items", level: .must,
            requirements: [.feed(ServerRequirement.commonFeed)], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play(
                    """
                    hello
                    attach list {profile: default, feed: packages, geometry: $size, top: $quick, bottom: $end}
                    expect attached list
                    refresh list
                    """)
                for _ in 1...pagesMax {
                    try await session.play(
                        """
                        expect items list {more: ?more} and update list {list: {more: ?listed}}
                        """)
                    guard session.variable("more") == session.variable("listed") else {
                        throw StepFailure(
                            expected: "`more` as in `list`: "
                                + (session.variable("listed")?.text ?? "nothing"),
                            came: session.variable("more")?.text ?? "nothing")
                    }
                    if session.variable("more") == .bool(false) {
                        try await session.play("expect state list.bottom noMore")
                        return
                    }
                    try await session.play("loadMore list")
                }
            }),
    ]

    /// The maximum number of pages that are read from a feed.
    private static let pagesMax = 60

    static let tokens = [
        ConformanceCase(
            id: "resume-19", group: .resume, name: "each-welcome-has-a-new-token",
            description: "Each `welcome` has a new token, also for a resumed session.",
            expectation: "A token other than the one that resumed the session.",
            reference: "docs/protocol.md#welcome", level: .must,
            requirements: [.connections, .limitAtMost("resumeWindowMs", 86_400_000)],
            durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play(
                    """
                    hello {views: [{view: list, profile: default}]}
                    expect welcome {session: ?session, token: ?token}
                    """, on: "one")
                await session.cut("one")
                try await session.play(
                    """
                    hello {resume: {session: $session, token: $token}}
                    expect welcome {resumed: true, token: ?second}
                    """, on: "two")
                guard session.variable("second") != session.variable("token") else {
                    throw StepFailure(expected: "a new token", came: "the last one")
                }
            })
    ]
}
