import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshSession
@testable import ScenarioKit

@Suite("The control law", .ownThread)
struct LawPropertyTests {
    /// The number of gestures in a session.
    private static let gestures: UInt64 = 4

    /// `LAW_SEED` selects one seed and prints its session. `LAW_FIRST` is the first seed.
    /// `LAW_GESTURES` is the number of gestures in all sessions; the default is 1,500, or 10,000 in
    /// a long test run (`depth`).
    private static let environment = ProcessInfo.processInfo.environment

    @Test(
        "A local client shows the same as a stream client and ends in the same state",
        arguments: [0, 1])
    func agreement(half: UInt64) {
        if let seed = Self.environment["LAW_SEED"].flatMap(UInt64.init) {
            return half == 0 ? Self.show(seed) : ()
        }
        let count =
            Self.environment["LAW_GESTURES"].flatMap(UInt64.init) ?? depth(1_500, whole: 10_000)
        let first = Self.environment["LAW_FIRST"].flatMap(UInt64.init) ?? 20_261_121
        let sessions = count / Self.gestures
        let begin = first + half * (sessions / 2)
        print("law: \(sessions / 2) sessions from seed \(begin)")
        var tally = LawTally()
        for seed in begin..<(begin + sessions / 2) { tally.add(Self.run(seed)) }
        print("law: \(tally.summary)")
        for difference in tally.differences.prefix(30) { print(difference) }
        #expect(tally.differences.isEmpty)
        #expect(tally.mispredictions == 0)
    }

    @Test(
        "In the sessions of these seeds, both clients agree",
        arguments: [
            // A list that waits for its layout turns back before its speed would load more.
            20_277_214,
            // A `pan` is cancelled at another offset than its last sample, while `attention` is
            // `movement`.
            20_282_431, 70_026_156,
        ])
    func onceDiffered(seed: UInt64) {
        let session = Self.run(seed)
        #expect(session.difference == nil)
        #expect(session.local.metrics.snapshot.mispredictions == 0)
    }

    private static func run(_ seed: UInt64, keepsWire: Bool = false) -> LawPreviewPlayback {
        let playback = LawPreviewPlayback(seed: seed, keepsWire: keepsWire)
        for _ in 0..<gestures where playback.difference == nil { playback.gesture() }
        if playback.difference == nil { playback.end() }
        return playback
    }

    private static func show(_ seed: UInt64) {
        let playback = run(seed, keepsWire: true)
        print(JSONValue.object(playback.attach.members).text)
        print("--- stream")
        for line in playback.stream.wire { print(line) }
        print("--- local")
        for line in playback.local.wire { print(line) }
        print(playback.difference ?? "no difference")
        print("mispredicted: \(playback.local.metrics.snapshot.mispredictions)")
    }
}
