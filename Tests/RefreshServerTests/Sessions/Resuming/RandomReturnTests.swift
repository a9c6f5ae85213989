import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("Generated sessions that are cut somewhere")
struct RandomReturnTests {
    @Test("end where they end undisturbed, with the same items", arguments: 0..<8)
    func sameEnd(_ block: Int) {
        for seed in UInt64(block * 50)..<UInt64((block + 1) * 50) {
            let session = RandomReturn(seed: seed)
            let whole = session.run(cut: false)
            let cut = session.run(cut: true)
            #expect(cut.refusal == nil, "seed \(seed)")
            #expect(
                cut.world.dispatcher.started.map(\.1) == whole.world.dispatcher.started.map(\.1),
                "seed \(seed)")
            for name in ["list", "own"] {
                #expect(cut.client.views[name] == whole.client.views[name], "seed \(seed), \(name)")
            }
            #expect(cut.client.asked == whole.client.asked, "seed \(seed)")
            #expect(cut.world.total.views == 2 && cut.world.total.orphanedLoads == 0)
        }
    }
}
