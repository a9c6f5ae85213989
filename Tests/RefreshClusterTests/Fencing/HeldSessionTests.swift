import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Sessions after their claim, their ends, and the availability of the store.
@Suite("Held sessions")
struct HeldSessionTests {
    private let opened = SessionHead.of(("a", 1), received: 1)
    private let ours = SessionHead.of(("a", 1), ("b", 1), received: 0)
    private let oursConfirmed = SessionHead.of(("a", 1), ("b", 1), received: 1)
    private let continued = SessionHead.of(("a", 1), ("b", 1), ("c", 1), received: 0)
    private let theirs = SessionHead.of(("a", 1), ("c", 1), received: 0)
    private let theirsConfirmed = SessionHead.of(("a", 1), ("c", 1), received: 1)

    /// A node that holds a session after a claim.
    private func holding() -> FenceHarness {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, ours)
        harness.deliverAll()
        return harness
    }

    private func hint(_ harness: inout FenceHarness) -> [SessionFence.Effect] {
        harness.send(.received(.entry(session: "s"), [])) + harness.deliverAll()
    }

    private let close = SessionFence.Effect.close(session: "s", line: "b")
    private let inspect = SessionFence.Effect.inspect(session: "s")

    // MARK: - Later states

    @Test("The session is inspected every 10 s until its client has received the last `welcome`")
    func inspections() {
        var harness = holding()
        #expect(harness.send(.clockAdvanced, at: 9999).isEmpty)
        #expect(harness.send(.clockAdvanced, at: 10_000) == [inspect])
        harness.send(.inspected(session: "s", ours))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.send(.clockAdvanced, at: 20_000) == [inspect])
        harness.send(.inspected(session: "s", oursConfirmed))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == oursConfirmed)
        #expect(harness.send(.clockAdvanced, at: 60_000).isEmpty)
    }

    @Test("If a claimed session is resumed at its node, its head is written again")
    func localResume() {
        var harness = holding()
        #expect(harness.send(.resumed(session: "s")) == [inspect])
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        harness.send(.inspected(session: "s", resumed))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == resumed)
        #expect(harness.send(.resumed(session: "t")).isEmpty)
    }

    @Test("A client keeps its session here if it missed the `welcome` of a node that claimed it")
    func returned() {
        var harness = holding()
        // The other node has continued this session, and its client returns before the hint.
        harness.write(continued, of: "s")
        #expect(harness.send(.resumed(session: "s")) == [inspect])
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        #expect(harness.send(.inspected(session: "s", resumed)).isEmpty)
        #expect(!harness.deliverAll().contains(close))
        #expect(harness.store.entry(of: "s")?.head == resumed)
        // Without a resumption here, the same entry closes the session.
        harness = holding()
        harness.write(continued, of: "s")
        #expect(hint(&harness).contains(close))
    }

    @Test("A client that has left a node without the store keeps its session at the other node")
    func leftWithoutStore() {
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        // The node has lost the bus before its client resumes, or loses the write of the new head.
        for isConnected in [false, true] {
            var harness = holding()
            if !isConnected { harness.send(.disconnected) }
            harness.send(.resumed(session: "s"))
            harness.send(.inspected(session: "s", resumed))
            #expect(harness.sent.isEmpty != isConnected)
            harness.loseMessages()
            harness.write(continued, of: "s")
            harness.send(.clockAdvanced, at: 1000)
            if !isConnected { harness.send(.connected) }
            var effects = harness.deliverAll()
            harness.send(.clockAdvanced, at: 2000)
            effects += harness.deliverAll()
            #expect(effects.contains(close))
            #expect(harness.store.entry(of: "s")?.head == continued)
        }
    }

    @Test("A head that was written before the client returned does not settle its return")
    func returnDuringWrite() {
        var harness = holding()
        harness.send(.inspected(session: "s", oursConfirmed))
        let earlier = harness.handleFirst()
        harness.send(.resumed(session: "s"))
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        harness.send(.inspected(session: "s", resumed))
        harness.reply(earlier.answer, to: earlier.message)
        harness.write(continued, of: "s")
        #expect(!harness.deliverAll().contains(close))
        #expect(harness.store.entry(of: "s")?.head == resumed)
    }

    @Test("A session that does not exist any more is forgotten, and its entry stays")
    func gone() {
        for event in [
            SessionFence.Event.inspected(session: "s", nil),
            .ended(session: "s", line: "b", revoking: nil),
        ] {
            var harness = holding()
            #expect(harness.send(event).isEmpty)
            #expect(harness.fence.held.isEmpty)
            #expect(harness.deliverAll().isEmpty)
            #expect(harness.store.entry(of: "s")?.head == ours)
        }
    }

    @Test("A rebuilt session that was lost before it was rebuilt is checked")
    func lostBeforeRebuilding() {
        var harness = holding()
        #expect(harness.send(.rebuilt(session: "s")) == [inspect])
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 0), of: "s")
        #expect(hint(&harness) == [close])
        #expect(harness.send(.rebuilt(session: "s")) == [inspect])
        harness.send(.inspected(session: "s", ours))
        #expect(harness.deliverAll() == [close])
    }

    // MARK: - Other nodes

    @Test("When another node has taken the session over, this node closes it")
    func takenOver() {
        var harness = holding()
        harness.write(theirs, of: "s")
        #expect(hint(&harness) == [close])
        #expect(harness.fence.counters.closed == 1)
    }

    @Test("A write that was refused, and a forged one, have no effect")
    func refusedWrite() {
        var harness = holding()
        #expect(hint(&harness).isEmpty)
        #expect(harness.fence.held["s"] != nil)
    }

    @Test("A session that was never claimed gives way to a newer one of another node")
    func unclaimed() {
        var harness = FenceHarness.connected()
        harness.write(theirs, of: "s")
        #expect(hint(&harness) == [inspect])
        harness.send(.inspected(session: "s", opened))
        #expect(harness.deliverAll() == [.close(session: "s", line: "a")])
    }

    @Test("A session whose client has received more than the other node knows is taken back")
    func takenBack() {
        var harness = FenceHarness.connected()
        harness.write(theirs, of: "s")
        #expect(hint(&harness) == [inspect])
        let newer = SessionHead.of(("a", 2), received: 2)
        harness.send(.inspected(session: "s", newer))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == newer)
    }

    @Test("A hint about a session that is not at this node asks for it and nothing else")
    func unknownSession() {
        var harness = FenceHarness.connected()
        #expect(hint(&harness) == [inspect])
        #expect(harness.send(.inspected(session: "s", nil)).isEmpty)
        #expect(harness.sent.isEmpty)
        #expect(harness.fence.held.isEmpty)
    }

    // MARK: - Revocations

    @Test("`bye` revokes the session, whether it was claimed or not")
    func bye() {
        for isClaimed in [true, false] {
            var harness = isClaimed ? holding() : FenceHarness.connected()
            let head = isClaimed ? ours : opened
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
        var harness = holding()
        harness.write(ours, of: "s", isRevoked: true)
        #expect(hint(&harness) == [close])
    }

    @Test("A claim that the fence handles late has ended before the session is revoked")
    func byeAfterLateClaim() {
        for (handledAt, answer) in [(300.0, 300.0), (200, 310)] {
            var harness = FenceHarness.connected()
            var effects = harness.send(
                .claim(1, session: "s", ours, askedAt: .origin), at: handledAt)
            effects += harness.send(.rebuilt(session: "s"), at: answer)
            #expect(effects == [.answer(1, .unfenced), .inspect(session: "s")])
            harness.send(.ended(session: "s", line: "b", revoking: ours))
            harness.deliverAll()
            #expect(harness.store.entry(of: "s")?.isRevoked == true)
            #expect(harness.fence.counters.claims == [.unfenced: 1])
        }
    }

    @Test("A session is revoked although a claim for it still waits")
    func byeWhileClaimWaits() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, ours)
        let effects = harness.send(.ended(session: "s", line: "b", revoking: ours))
        #expect(effects == [.answer(1, .revoked)])
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("A session that was rebuilt before its revocation is known is closed")
    func rebuiltAfterBye() {
        var harness = FenceHarness.connected()
        harness.send(.ended(session: "s", line: "a", revoking: opened), at: 400)
        let refused = harness.send(.claim(1, session: "s", ours, askedAt: .origin))
        #expect(refused == [.answer(1, .revoked)])
        #expect(harness.send(.rebuilt(session: "s")) == [.inspect(session: "s")])
        let closed = harness.send(.inspected(session: "s", ours))
        #expect(closed == [.close(session: "s", line: "b")])
    }

    @Test("A node that has lost the session cannot revoke it")
    func byeOfLoser() {
        var harness = holding()
        harness.write(theirsConfirmed, of: "s")
        harness.send(.ended(session: "s", line: "b", revoking: ours))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.isRevoked == false)
        #expect(harness.fence.revocations == 0)
    }

    @Test("A revocation that cannot be written is written when the store is back")
    func lateRevocation() {
        var harness = FenceHarness()
        harness.send(.ended(session: "s", line: "a", revoking: opened))
        #expect(harness.claim(1, ours) == [.answer(1, .revoked)])
        harness.send(.connected)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("Above the limit of revocations, further ones are given up and counted")
    func revocationsMax() {
        var harness = FenceHarness()
        for number in 0...SessionFence.revocationsMax {
            harness.send(.ended(session: "s\(number)", line: "a", revoking: opened))
        }
        #expect(harness.fence.revocations == SessionFence.revocationsMax)
        #expect(harness.fence.counters.revocationsDropped == 1)
        harness.send(.connected)
        harness.deliverAll()
        #expect(harness.fence.revocations == 0)
        #expect(harness.fence.counters.revoked == SessionFence.revocationsMax)
    }

    // MARK: - Availability

    @Test("The bucket is created if it does not exist, with as many replicas as there can be")
    func bucket() {
        for replicasMax in [1, 3] {
            var harness = FenceHarness()
            harness.store.replicasMax = replicasMax
            #expect(harness.send(.connected).isEmpty)
            #expect(harness.deliverAll() == [.available])
            #expect(harness.fence.isAvailable)
        }
    }

    @Test("Without JetStream, each claim is answered at once, and the reason is reported once")
    func withoutJetStream() {
        var harness = FenceHarness.connected(hasBucket: false)
        let message = harness.handleFirst().message
        let reason = "The NATS server has no JetStream."
        #expect(harness.reply("", to: message) == [.unavailable(reason: reason)])
        #expect(harness.claim(1, ours) == [.answer(1, .unfenced)])
        harness.send(.clockAdvanced, at: 2000)
        #expect(harness.reply("", to: harness.handleFirst().message).isEmpty)
        // The next attempts come after 4 s, 8 s, 16 s, and then every 32 s.
        harness.send(.clockAdvanced, at: 5999)
        #expect(harness.sent.isEmpty)
        harness.send(.clockAdvanced, at: 6000)
        #expect(harness.sent.count == 1)
    }

    @Test("If JetStream does not answer, no claim waits for it any more")
    func silentJetStream() {
        var harness = FenceHarness.connected(hasBucket: false)
        harness.loseMessages()
        #expect(
            harness.send(.clockAdvanced, at: 1000)
                == [.unavailable(reason: "JetStream does not answer.")])
        #expect(harness.claim(1, ours) == [.answer(1, .unfenced)])
        harness.send(.clockAdvanced, at: 3000)
        #expect(harness.deliverAll() == [.available])
        #expect(harness.store.entry(of: "s")?.head == ours)
    }

    @Test("When the bus is lost, the claims that wait are answered at once")
    func disconnection() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, ours)
        #expect(
            harness.send(.disconnected)
                == [.answer(1, .unfenced), .unavailable(reason: "The bus is not connected.")])
        #expect(harness.fence.nextDeadline != nil)
        harness.loseMessages()
        harness.send(.connected)
        #expect(harness.deliverAll() == [.available])
        #expect(harness.store.entry(of: "s")?.head == ours)
    }

    @Test("After an interruption, a session that another node holds by then is closed")
    func afterInterruption() {
        var harness = holding()
        harness.send(.disconnected)
        harness.write(theirs, of: "s")
        harness.send(.connected)
        #expect(harness.deliverAll().contains(close))
    }

    @Test("After an interruption, the missed writes of sessions that were not claimed are read")
    func missedWrites() {
        var harness = FenceHarness.connected()
        harness.write(theirs, of: "s")
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        harness.send(.disconnected)
        for session in ["x", "y", "z"] { harness.write(theirs, of: session) }
        harness.send(.connected)
        let inspected = harness.deliverAll()
        #expect(inspected == [.available] + ["x", "y", "z"].map { .inspect(session: $0) })
        // Nothing is read twice.
        harness.send(.clockAdvanced, at: 20_000)
        #expect(harness.deliverAll().isEmpty)
    }

    @Test("A store that comes back empty gets the heads of all held sessions again")
    func emptyStore() {
        var harness = holding()
        harness.store.restartEmpty()
        harness.send(.clockAdvanced, at: 9000)
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == ours)
        #expect(harness.fence.isAvailable)
    }

    @Test("If two nodes hold a session in an empty store, the node that writes later closes it")
    func emptyStoreConflict() {
        var harness = holding()
        harness.send(.inspected(session: "s", oursConfirmed))
        harness.deliverAll()
        harness.send(.disconnected)
        harness.store.restartEmpty()
        _ = harness.store.handle(
            harness.fence.store.message(of: .create(replicas: 1), number: 0))
        harness.write(theirsConfirmed, of: "s")
        harness.send(.connected)
        #expect(harness.deliverAll().contains(close))
        #expect(harness.store.entry(of: "s")?.head == theirsConfirmed)
    }

    @Test("At most 64 sessions are checked at one time, and all of them in the end")
    func pacing() {
        var harness = FenceHarness()
        for number in 0..<1000 {
            harness.send(.claim(UInt64(number), session: "s\(number)", ours, askedAt: harness.now))
        }
        harness.send(.connected)
        harness.deliver()
        harness.deliver()
        harness.deliver()
        #expect(harness.sent.count == SessionFence.requestsMax)
        harness.deliverAll()
        #expect(harness.store.entries.count == 1000)
    }

    // MARK: - Races

    @Test("The end of an earlier connection does not end the fence of a later line")
    func earlierEnd() {
        var harness = holding()
        for head in [nil, opened] {
            #expect(harness.send(.ended(session: "s", line: "a", revoking: head)).isEmpty)
        }
        #expect(harness.fence.held["s"]?.head == ours)
        #expect(harness.deliverAll().isEmpty)
    }

    @Test("If the message about a write is faster than the write, the second reading finds it")
    func earlyMessage() {
        var harness = holding()
        #expect(hint(&harness).isEmpty)
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 1), of: "s")
        #expect(harness.send(.clockAdvanced, at: 999).isEmpty)
        #expect(harness.deliverAll().isEmpty)
        harness.send(.clockAdvanced, at: 1000)
        #expect(harness.deliverAll() == [close])
    }

    @Test("A write of another node whose message is lost is found by the next request for state")
    func lostMessage() {
        var harness = holding()
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 1), of: "s")
        harness.send(.clockAdvanced, at: 10_000)
        #expect(harness.deliverAll().contains(close))
    }

    @Test("Two connections of one client at one node keep one session, whichever is rebuilt")
    func siblingsHere() {
        var harness = holding()
        // The other connection was rebuilt, on a line of its own.
        let sibling = SessionHead.of(("a", 1), ("x", 1), received: 0)
        #expect(harness.send(.rebuilt(session: "s")) == [inspect])
        #expect(harness.send(.inspected(session: "s", sibling)).isEmpty)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == sibling)
    }

    @Test("A bucket that has lost its entries receives the heads of the claimed sessions again")
    func lostEntries() {
        var harness = holding()
        harness.store.loseEntries()
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == ours)
    }

    @Test("`bye` revokes a session whose fence has a sibling that was never rebuilt")
    func byeBesideSibling() {
        var harness = holding()
        let rebuilt = SessionHead.of(("a", 1), ("x", 1), received: 1)
        #expect(harness.send(.ended(session: "s", line: "x", revoking: rebuilt)).isEmpty)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("Missed writes that have expired are not looked for again")
    func expiredWrites() {
        var harness = holding()
        harness.write(theirs, of: "t")
        harness.store.expire("t")
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        #expect(harness.fence.knownRevision == 2 && harness.fence.missedRevision == nil)
        // The read entry is read once more.
        harness.send(.clockAdvanced, at: 12_000)
        harness.deliverAll()
        harness.send(.clockAdvanced, at: 20_000)
        // Only the state of the bucket is requested.
        #expect(harness.sent.map(\.subject) == ["$JS.API.STREAM.INFO.KV_refreshd_web"])
    }
}
