import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Tests that a list that the engine moves never jumps on the client's screen.
@Suite("Pan without a jump")
struct PanContinuityTests {
    private static let firstSeed: UInt64 = 20_261_121
    private static let runs: UInt64 = 1500
    private static let eventsPerRun = 60

    @Test("At every event the list on the client keeps its place and its velocity")
    func continuity() {
        print("continuity: \(Self.runs) runs of \(Self.eventsPerRun), seeds from \(Self.firstSeed)")
        var seen = PanPreviewPlayback.Tally()
        for seed in Self.firstSeed..<(Self.firstSeed + Self.runs) {
            var rehearsal = PanPreviewPlayback(seed: seed)
            for _ in 0..<Self.eventsPerRun where rehearsal.breach == nil { rehearsal.step() }
            if rehearsal.breach == nil { rehearsal.finish() }
            #expect(rehearsal.breach == nil, "seed \(seed)")
            if rehearsal.breach != nil { return }
            seen.add(rehearsal.tally)
        }
        print("continuity: \(seen)")
        // The test proves nothing about cases that did not occur, so each case must be frequent.
        #expect(seen.caughtFlights > 1000 && seen.caughtGlides > 50)
        #expect(seen.changedFlights > 300 && seen.changedHolds > 1000)
        #expect(seen.refreshes > 200 && seen.mores > 50 && seen.moresInFlight > 20)
        #expect(seen.floors > 20)
    }
}
