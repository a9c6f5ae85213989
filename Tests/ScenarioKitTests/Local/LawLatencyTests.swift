import RefreshProtocol
import Testing
import Workbench

@testable import RefreshSession
@testable import ScenarioKit

@Suite("The control law with latency", .ownThread)
struct LawLatencyTests {
    @Test(
        "With any latency, stream and local clients end in the same state, and each load ends",
        arguments: [100.0, 300])
    func latency(ms: Double) {
        var differences: [String] = []
        var mispredictions = 0
        for seed in UInt64(1)...120 {
            let playback = LawPreviewPlayback(seed: seed, latency: ms)
            // Waits until the view is attached.
            playback.wait(1000)
            for _ in 0..<3 { playback.calmGesture() }
            playback.wait(12_000)
            if let difference = playback.finalDifference {
                differences.append(difference)
            }
            mispredictions += playback.local.metrics.snapshot.mispredictions
        }
        for difference in differences.prefix(10) { print(difference) }
        print("law: \(ms) ms, \(mispredictions) mispredicted")
        #expect(differences.isEmpty)
    }
}
