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
            let isInterrupted = session.run(isInterrupted: true)
            #expect(isInterrupted.refusal == nil, "seed \(seed)")
            #expect(
                isInterrupted.fixture.dispatcher.started.map(\.1)
                    == whole.fixture.dispatcher.started.map(\.1),
                "seed \(seed)")
            for name in ["list", "own"] {
                let messages = try #require(isInterrupted.client.views[name])
                let known = try #require(whole.client.views[name])
                let place: Comment = "seed \(seed), \(name), \(session.frames), \(session.gap)"
                #expect(messages.edges == known.edges, place)
                #expect(messages.insets == known.insets, place)
                #expect(messages.items == known.items && messages.received == known.received, place)
                #expect(messages == known, place)
            }
            #expect(isInterrupted.client.ownLoads == whole.client.ownLoads, "seed \(seed)")
            #expect(
                isInterrupted.fixture.total.views == 2
                    && isInterrupted.fixture.total.orphanedLoads == 0)
        }
    }
}
