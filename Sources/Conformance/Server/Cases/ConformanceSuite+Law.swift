internal import Foundation
internal import RefreshProtocol
internal import ScenarioKit

/// Cases that check the numbers of the control law.
extension ConformanceSuite {
    static let law = [
        ConformanceCase(
            id: "physics-20", group: .physics, name: "the-resistance-is-the-damping",
            description:
                "The tables of `resistance` are accurate to 0.1 point up to a travel of two "
                + "viewports.",
            expectation:
                "The values of the documented formulas, for each damping and for a `maximumPull`.",
            reference: "docs/protocol.md#the-control-law", level: .must,
            requirements: [], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play("hello {frames: local}\nexpect welcome")
                for formula in Resistance.all {
                    try await session.expectResistanceTable(of: formula)
                }
            }),
        ConformanceCase(
            id: "indicators-19", group: .indicators, name: "what-is-of-interest",
            description: "`interest` has the ranges in which the daemon needs samples of a list.",
            expectation:
                "The ranges where a pull is shown or an edge is armed, also after the content has "
                + "grown.",
            reference: "docs/protocol.md#the-control-law", level: .must,
            requirements: [], durationMsMin: 0,
            body: .exchange { session throws(StepFailure) in
                try await session.play(
                    """
                    hello {frames: stream}
                    attach list {profile: default, geometry: $size, top: $quick, bottom: $end}
                    expect attached list {law: {interest: ?interest, top: {pull: ?pull}, bottom: {pull: ?end}}}
                    """)
                try session.expectInterest(in: ["pull", "end"])
                try await session.play(
                    """
                    geometry list {content: {width: 390, height: 3000}}
                    expect update list {law: {interest: ?interest, bottom: {pull: ?end}}}
                    """)
                try session.expectInterest(in: ["pull", "end"])
            }),
    ]
}

/// The distance by which a list is shown beyond an edge, as a function of the finger's travel.
/// Source: docs/protocol.md, "Damping".
private struct Resistance: Sendable {
    let name: String
    let options: String
    let shown: @Sendable (Double) -> Double

    static let viewport = 800.0
    private static let length = 60.0

    static let all = [
        Resistance(name: "uiscrollview", options: "damping: uiscrollview") { travel in
            0.55 * travel / (1 + 0.55 * travel / viewport)
        },
        Resistance(name: "smartRefreshLayout", options: "damping: smartRefreshLayout") { travel in
            min(2.5 * length * (1 - pow(100, -travel / (2 * viewport))), travel / 2)
        },
        Resistance(
            name: "swipeRefreshLayout", options: "damping: swipeRefreshLayout", shown: swipe),
        Resistance(name: "compose", options: "damping: compose", shown: swipe),
        Resistance(name: "flutter", options: "damping: flutter") { travel in
            1.5 * length * min(travel / (viewport / 4), 1)
        },
        Resistance(name: "none", options: "damping: none") { $0 },
        Resistance(name: "bounded", options: "damping: none, maximumPull: 70") { min($0, 70) },
    ]

    private static let swipe: @Sendable (Double) -> Double = { travel in
        guard travel / 2 > length else { return travel / 2 }
        let over = min((travel / 2 - length) / length, 2)
        return length + length * (over - over * over / 4)
    }
}

extension ConformanceSession {
    /// The tolerance of 0.1 points that docs/protocol.md permits, plus rounding.
    private static let resistanceTolerance = 0.11

    /// Checks that the table `resistance` of the control law matches the formula.
    fileprivate func expectResistanceTable(of resistance: Resistance) async throws(StepFailure) {
        try await play(
            """
            attach \(resistance.name) {profile: default, geometry: $size, top: $quick, bottom: null, pan: {\(resistance.options)}}
            expect attached \(resistance.name) {law: {resistance: {top: ?table}}}
            """)
        let table = (variable("table")?.array ?? []).compactMap { pair -> (Double, Double)? in
            guard let pair = pair.array, pair.count == 2, let travel = pair[0].number,
                let shown = pair[1].number
            else { return nil }
            return (travel, shown)
        }
        for travel in stride(from: 0, through: 2 * Resistance.viewport, by: 4) {
            let tabulated = ReleasePath.interpolatedValue(
                through: table, at: travel, extrapolates: true)
            let shown = resistance.shown(travel)
            guard abs(tabulated - shown) <= Self.resistanceTolerance else {
                throw StepFailure(
                    expected: "\(shown) shown for a travel of \(travel) (\(resistance.options))",
                    came: "\(tabulated)")
            }
        }
    }

    /// Checks that the offsets at 0.5, 1 and 1.5 times the length of a pull are within a range of
    /// interest of the control law (a range in which the daemon needs samples).
    fileprivate func expectInterest(in pulls: [String]) throws(StepFailure) {
        let ranges = (variable("interest")?.array ?? []).compactMap(\.array)
        for name in pulls {
            let ends = (variable(name)?.array ?? []).compactMap { $0.array?.first?.number }
            guard ends.count == 2 else {
                throw StepFailure(
                    expected: "the offsets at which a pull begins and is complete", came: "\(ends)")
            }
            for part in [0.5, 1, 1.5] {
                let offset = ends[0] + (ends[1] - ends[0]) * part
                let isCovered = ranges.contains { range in
                    guard range.count == 2 else { return false }
                    return (range[0].number ?? -.infinity) <= offset
                        && offset <= (range[1].number ?? .infinity)
                }
                guard isCovered else {
                    throw StepFailure(
                        expected: "\(offset) in a range of `interest`",
                        came: variable("interest")?.text ?? "nothing")
                }
            }
        }
    }
}
