import RefreshProtocol
import SessionBench
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Generated sessions with a lost connection")
struct RandomResumeTests {
    @Test("A lost connection does not change the final state and items", arguments: 0..<8)
    func sameEnd(_ block: Int) throws {
        let count = depth(25, whole: 50)
        for seed in UInt64(block * count)..<UInt64((block + 1) * count) {
            let session = RandomResume(seed: seed)
            let whole = session.run(isInterrupted: false)
            let interrupted = session.run(isInterrupted: true)
            #expect(interrupted.refusal == nil, "seed \(seed)")
            #expect(
                interrupted.fixture.dispatcher.started.map(\.1)
                    == whole.fixture.dispatcher.started.map(\.1),
                "seed \(seed)")
            for name in ["list", "own"] {
                let actual = try #require(interrupted.client.views[name])
                let known = try #require(whole.client.views[name])
                let place: Comment = "seed \(seed), \(name), \(session.frames), \(session.gap)"
                #expect(actual.edges == known.edges, place)
                #expect(actual.insets == known.insets, place)
                #expect(actual.items == known.items && actual.received == known.received, place)
                #expect(actual == known, place)
            }
            #expect(interrupted.client.ownLoads == whole.client.ownLoads, "seed \(seed)")
            #expect(
                interrupted.fixture.total.views == 2
                    && interrupted.fixture.total.lateAnswersWithoutSession == 0)
        }
    }
}
