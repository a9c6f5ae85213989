import RefreshProtocol
import Testing
import Workbench

@testable import RefreshSession
@testable import ScenarioKit

@Suite("The control law with latency", .ownThread)
struct LawLatencyTests {
    @Test(
        "With any latency, both kinds of client end in the same state, and no load remains",
        arguments: [100.0, 300])
    func latency(ms: Double) {
        var differences: [String] = []
        var mispredictions = 0
        for seed in UInt64(1)...120 {
            let rehearsal = LawPreviewPlayback(seed: seed, latency: ms)
            // Waits until the view is attached.
            rehearsal.wait(1000)
            for _ in 0..<3 { rehearsal.calmGesture() }
            rehearsal.wait(12_000)
            if let difference = rehearsal.finalDifference {
                differences.append(difference)
            }
            mispredictions += rehearsal.local.metrics.snapshot.mispredictions
        }
        for difference in differences.prefix(10) { print(difference) }
        print("law: \(ms) ms, \(mispredictions) mispredicted")
        #expect(differences.isEmpty)
    }
}
