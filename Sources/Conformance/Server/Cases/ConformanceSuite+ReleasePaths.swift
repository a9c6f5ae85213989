internal import RefreshProtocol
internal import ScenarioKit

/// Cases that check the paths of lists after their release.
extension ConformanceSuite {
    static let releasePaths = [
        ConformanceCase(
            id: "physics-18", group: .physics, name: "path-ends-at-its-target",
            description:
                "The first key of a `path` is `[0, …]`, and the last key is `[duration, to]`. A "
                + "`path` has at most 48 keys, with growing times.",
            expectation:
                "The statement is true for a throw, a throw over the end, and a spring-back.",
            reference: "docs/protocol.md#commands-and-timelines", level: .must,
            requirements: [], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play("hello\nexpect welcome")
                for throwing in ReleasedList.all {
                    let path = try await session.releasePath(of: throwing)
                    if let flaw = path.flaw {
                        throw StepFailure(
                            expected: "a valid path for \(throwing.description)",
                            came: "a path that \(flaw)")
                    }
                }
            }),
        ConformanceCase(
            id: "physics-19", group: .physics, name: "path-lines-follow-the-movement",
            description:
                "Up to 4,500 points per second, the lines between the keys of a `path` differ from "
                + "the exact movement by less than half a point.",
            expectation:
                "If a `pan` with `began` and without `offset` catches the list, the list is held "
                + "where its `path` places it at that moment.",
            reference: "docs/protocol.md#commands-and-timelines", level: .must,
            requirements: [], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play("hello\nexpect welcome")
                for throwing in ReleasedList.all {
                    let path = try await session.releasePath(of: throwing)
                    try await session.play(
                        """
                        wait \(throwing.waitMs)ms
                        send [{type: ping, t: 6}, {type: pan, view: \(throwing.view), translation: 0, phase: began}, {type: ping, t: 7}]
                        expect pong {t: 6, time: ?before} and update \(throwing.view) {offset: {to: ?held, duration: 0}} and pong {t: 7, time: ?behind}
                        """)
                    try session.expectCaught(on: path, of: throwing)
                }
            }),
    ]
}

/// A list that is released in one of the cases.
private struct ReleasedList {
    let view: String
    let description: String
    /// The offset of the list before the gesture.
    let offset: Double
    /// The height of the content.
    let content: Double
    /// The travel of the finger, and the velocity at the release.
    let travel: Double
    let velocity: Double
    /// The delay until a finger touches the moving list and stops it.
    let waitMs: Int

    static let all = [
        ReleasedList(
            view: "thrown", description: "a throw", offset: 5000, content: 20_000, travel: -10,
            velocity: 3000, waitMs: 250),
        ReleasedList(
            view: "over", description: "a throw over the end", offset: 1000, content: 2000,
            travel: -10, velocity: 2500, waitMs: 150),
        ReleasedList(
            view: "back", description: "a spring-back", offset: 0, content: 2000, travel: 150,
            velocity: 0, waitMs: 80),
    ]
}

extension ConformanceSession {
    /// The tolerance for rounded times on the wire, in milliseconds. Two offsets agree if they
    /// differ by at most the distance that the list moves in this time.
    private static let clockToleranceMs = 0.01
    /// The tolerance for offsets, in points. docs/protocol.md permits a deviation of less than half
    /// a point.
    private static let pathTolerance = 0.5

    fileprivate func releasePath(of throwing: ReleasedList) async throws(StepFailure) -> ReleasePath
    {
        let view = throwing.view
        try await play(
            """
            attach \(view) {profile: default, top: null, bottom: null, offset: \(throwing.offset),
              pan: {damping: none},
              geometry: {viewport: {width: 390, height: 800}, content: {width: 390, height: \(throwing.content)}}}
            expect attached \(view)
            pan \(view) 0 -> \(throwing.travel) in 20ms
            skip
            release \(view) velocity \(throwing.velocity)
            expect update \(view) {offset: ?path}
            """)
        guard let path = ReleasePath(variable("path")) else {
            throw StepFailure(
                expected: "a `path` of keys", came: variable("path")?.text ?? "nothing")
        }
        return path
    }

    /// Checks that the finger stopped the list at the offset that the path gives for that time.
    fileprivate func expectCaught(
        on path: ReleasePath, of throwing: ReleasedList
    ) throws(StepFailure) {
        guard let held = variable("held")?.number, let before = variable("before")?.number,
            let behind = variable("behind")?.number, behind >= before
        else { throw StepFailure(expected: "an offset between two times", came: "none") }
        let first = before - Self.clockToleranceMs
        let last = behind + Self.clockToleranceMs
        let moments = Array(stride(from: first, to: last, by: 0.25).prefix(100_000)) + [last]
        let around = moments.map { path.offset(at: $0) }
        let least = (around.min() ?? 0) - Self.pathTolerance
        let most = (around.max() ?? 0) + Self.pathTolerance
        guard held >= least, held <= most else {
            throw StepFailure(
                expected: "\(throwing.description) held after \(before - path.start) ms, "
                    + "at its place on the path: between \(least) and \(most)",
                came: "\(held)")
        }
    }
}
