import RefreshProtocol
import SessionBench
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Generated sessions with a lost connection")
struct RandomReturnTests {
    @Test("A lost connection does not change the final state and items", arguments: 0..<8)
    func sameEnd(_ block: Int) throws {
        let count = depth(25, whole: 50)
        for seed in UInt64(block * count)..<UInt64((block + 1) * count) {
            let session = RandomReturn(seed: seed)
            let whole = session.run(cut: false)
            let cut = session.run(cut: true)
            #expect(cut.refusal == nil, "seed \(seed)")
            #expect(
                cut.world.dispatcher.started.map(\.1) == whole.world.dispatcher.started.map(\.1),
                "seed \(seed)")
            for name in ["list", "own"] {
                let told = try #require(cut.client.views[name])
                let known = try #require(whole.client.views[name])
                let place: Comment = "seed \(seed), \(name), \(session.frames), \(session.gap)"
                #expect(told.edges == known.edges, place)
                #expect(told.insets == known.insets, place)
                #expect(told.items == known.items && told.received == known.received, place)
                #expect(told == known, place)
            }
            #expect(cut.client.asked == whole.client.asked, "seed \(seed)")
            #expect(cut.world.total.views == 2 && cut.world.total.orphanedLoads == 0)
        }
    }
}
