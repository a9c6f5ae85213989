import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Sessions that `bye` ends, at their node or at another one.
@Suite("Revocations")
struct RevocationTests {
    @Test("`bye` revokes the session, whether it was claimed or not")
    func bye() {
        for isClaimed in [true, false] {
            var harness = isClaimed ? FenceHarness.holding() : FenceHarness.connected()
            let head: SessionHead = isClaimed ? .ours : .opened
            harness.send(.ended(session: "s", line: head.line, revoking: head))
            harness.deliverAll()
            #expect(
                harness.store.entry(of: "s")
                    == StoredHead(node: FenceHarness.own, head, isRevoked: true))
            #expect(harness.fence.held.isEmpty)
            #expect(harness.fence.counters.revoked == 1)
            _ = harness.claim(2, .of(("a", 1), ("b", 1), ("d", 1), received: 0))
            #expect(harness.deliverAll() == [.answer(2, .revoked)])
        }
    }

    @Test("A session that was revoked at another node is closed here")
    func revokedElsewhere() {
        var harness = FenceHarness.holding()
        harness.write(.ours, of: "s", isRevoked: true)
        #expect(harness.hint() == [.closeSession])
    }

    @Test("A claim that the fence handles late has ended before the session is revoked")
    func byeAfterLateClaim() {
        for (handledAt, answer) in [(300.0, 300.0), (200, 310)] {
            var harness = FenceHarness.connected()
            var effects = harness.send(
                .claim(1, session: "s", .ours, askedAt: .origin), at: handledAt)
            effects += harness.send(.rebuilt(session: "s"), at: answer)
            #expect(effects == [.answer(1, .unfenced), .inspectSession])
            harness.send(.ended(session: "s", line: "b", revoking: .ours))
            harness.deliverAll()
            #expect(harness.store.entry(of: "s")?.isRevoked == true)
            #expect(harness.fence.counters.claims == [.unfenced: 1])
        }
    }

    @Test("A session is revoked although a claim for it still waits")
    func byeWhileClaimWaits() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        let effects = harness.send(.ended(session: "s", line: "b", revoking: .ours))
        #expect(effects == [.answer(1, .revoked)])
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("A session that was rebuilt before its revocation is known is closed")
    func rebuiltAfterBye() {
        var harness = FenceHarness.connected()
        harness.send(.ended(session: "s", line: "a", revoking: .opened), at: 400)
        let refused = harness.send(.claim(1, session: "s", .ours, askedAt: .origin))
        #expect(refused == [.answer(1, .revoked)])
        #expect(harness.send(.rebuilt(session: "s")) == [.inspectSession])
        let closed = harness.send(.inspected(session: "s", .ours))
        #expect(closed == [.closeSession])
    }

    @Test("A node that has lost the session cannot revoke it")
    func byeOfLoser() {
        var harness = FenceHarness.holding()
        harness.write(.theirsConfirmed, of: "s")
        harness.send(.ended(session: "s", line: "b", revoking: .ours))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.isRevoked == false)
        #expect(harness.fence.revocations == 0)
    }

    @Test("A revocation that cannot be written is written when the store is back")
    func lateRevocation() {
        var harness = FenceHarness()
        harness.send(.ended(session: "s", line: "a", revoking: .opened))
        #expect(harness.claim(1, .ours) == [.answer(1, .revoked)])
        harness.send(.connected)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("Above the limit of revocations, further ones are given up and counted")
    func revocationsMax() {
        var harness = FenceHarness()
        for number in 0...SessionFence.revocationsMax {
            harness.send(.ended(session: "s\(number)", line: "a", revoking: .opened))
        }
        #expect(harness.fence.revocations == SessionFence.revocationsMax)
        #expect(harness.fence.counters.revocationsDropped == 1)
        harness.send(.connected)
        harness.deliverAll()
        #expect(harness.fence.revocations == 0)
        #expect(harness.fence.counters.revoked == SessionFence.revocationsMax)
    }

    @Test("`bye` revokes a session whose fence has a sibling that was never rebuilt")
    func byeBesideSibling() {
        var harness = FenceHarness.holding()
        let rebuilt = SessionHead.of(("a", 1), ("x", 1), received: 1)
        #expect(harness.send(.ended(session: "s", line: "x", revoking: rebuilt)).isEmpty)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }
}
