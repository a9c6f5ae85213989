import Foundation
import NodeScript
import RefreshProtocol
import Testing
import Workbench

@testable import ScenarioKit

@Suite("The web client's `local` mode", .ownThread)
struct WebClientParityTests {
    /// The number of gestures in a session.
    private static let gestures = 4

    /// `PARITY_GESTURES` is the number of gestures in all sessions, and `PARITY_FIRST` is the first
    /// seed. `PARITY_SEED` selects one seed and prints its session.
    private static let environment = ProcessInfo.processInfo.environment

    @Test("The web client sends and shows the same as the local client in Swift")
    func agrees() throws {
        let count = Self.number("PARITY_GESTURES") ?? 400
        let first = Self.number("PARITY_FIRST") ?? 20_261_121
        let only = Self.number("PARITY_SEED")
        let seeds =
            only.map { [$0] } ?? (0..<UInt64(count) / UInt64(Self.gestures)).map { first + $0 }
        print("parity: \(seeds.count) sessions from seed \(seeds[0])")
        let sessions = seeds.map { (seed: $0, steps: Self.run($0)) }
        let lines = sessions.flatMap { session in
            [LawTimeline.beginning] + session.steps.map(\.line.text)
        }
        let answers = try NodeScript("drive.mjs").run(lines)
        try #require(answers.count == sessions.reduce(0) { $0 + $1.steps.count })
        var differences: [String] = []
        var next = 0
        for session in sessions {
            let theirs = answers[next..<next + session.steps.count]
            next += session.steps.count
            if only != nil { Self.show(session.steps, theirs) }
            if let found = LawTimelineComparison.difference(session.steps, theirs) {
                differences.append("seed \(session.seed), \(found)")
            }
        }
        let frames = sessions.reduce(0) { $0 + $1.steps.count { $0.isFrame } }
        let messages = sessions.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.sent.count } }
        print("parity: \(frames) frames, \(messages) messages, \(differences.count) differences")
        for difference in differences.prefix(30) { print(difference) }
        #expect(differences.isEmpty)
        #expect(messages > 0)
    }

    private static func number(_ name: String) -> UInt64? { environment[name].flatMap(UInt64.init) }

    private static func run(_ seed: UInt64) -> [LawTimeline.Step] {
        let timeline = LawTimeline()
        let playback = LawPreviewPlayback(seed: seed, timeline: timeline)
        for _ in 0..<gestures where playback.difference == nil { playback.gesture() }
        if playback.difference == nil { playback.end() }
        return timeline.steps
    }

    private static func show(_ steps: [LawTimeline.Step], _ answers: ArraySlice<JSONValue>) {
        for (step, answer) in zip(steps, answers) {
            print(step.line.text)
            print("  ours   \(step.sent.map(\.text)) \(step.picture)")
            print("  theirs \(answer.text)")
        }
    }
}
