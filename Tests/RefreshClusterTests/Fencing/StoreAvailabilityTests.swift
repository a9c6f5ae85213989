import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// The fence while the store does not answer, has lost its entries, or comes back.
@Suite("Availability of the store")
struct StoreAvailabilityTests {
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
        #expect(harness.claim(1, .ours) == [.answer(1, .unfenced)])
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
        #expect(harness.claim(1, .ours) == [.answer(1, .unfenced)])
        harness.send(.clockAdvanced, at: 3000)
        #expect(harness.deliverAll() == [.available])
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("When the bus is lost, the claims that wait are answered at once")
    func disconnection() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        #expect(
            harness.send(.disconnected)
                == [.answer(1, .unfenced), .unavailable(reason: "The bus is not connected.")])
        #expect(harness.fence.nextDeadline != nil)
        harness.loseMessages()
        harness.send(.connected)
        #expect(harness.deliverAll() == [.available])
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("After an interruption, a session that another node holds by then is closed")
    func afterInterruption() {
        var harness = FenceHarness.holding()
        harness.send(.disconnected)
        harness.write(.theirs, of: "s")
        harness.send(.connected)
        #expect(harness.deliverAll().contains(.closeSession))
    }

    @Test("After an interruption, the missed writes of sessions that were not claimed are read")
    func missedWrites() {
        var harness = FenceHarness.connected()
        harness.write(.theirs, of: "s")
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        harness.send(.disconnected)
        for session in ["x", "y", "z"] { harness.write(.theirs, of: session) }
        harness.send(.connected)
        let inspected = harness.deliverAll()
        #expect(inspected == [.available] + ["x", "y", "z"].map { .inspect(session: $0) })
        // Nothing is read twice.
        harness.send(.clockAdvanced, at: 20_000)
        #expect(harness.deliverAll().isEmpty)
    }

    @Test(
        "A node that had sessions before its first connection reads what was written until then",
        arguments: [false, true])
    func lateConnection(hadSessions: Bool) {
        var harness = FenceHarness()
        harness.send(.clockAdvanced, at: 0)
        _ = harness.store.handle(
            harness.fence.store.message(of: .create(replicas: 1), number: 0))
        harness.write(.theirs, of: "x")
        if hadSessions { harness.send(.hasSessions, at: 2000) }
        harness.send(.connected, at: 3000)
        #expect(
            harness.deliverAll()
                == [.available] + (hadSessions ? [.inspect(session: "x")] : []))
    }

    @Test("A claim just after the start waits for the store, also of a node that has had sessions")
    func claimBeforeStore() {
        var harness = FenceHarness()
        harness.send(.hasSessions, at: 0)
        harness.send(.connected, at: 100)
        #expect(harness.claim(1, .ours).isEmpty)
        #expect(harness.deliverAll() == [.available, .answer(1, .fenced)])
    }

    @Test("A store that comes back empty gets the heads of all held sessions again")
    func emptyStore() {
        var harness = FenceHarness.holding()
        harness.store.restartEmpty()
        harness.send(.clockAdvanced, at: 9000)
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .ours)
        #expect(harness.fence.isAvailable)
    }

    @Test("If two nodes hold a session in an empty store, the node that writes later closes it")
    func emptyStoreConflict() {
        var harness = FenceHarness.holding()
        harness.send(.inspected(session: "s", .oursConfirmed))
        harness.deliverAll()
        harness.send(.disconnected)
        harness.store.restartEmpty()
        _ = harness.store.handle(
            harness.fence.store.message(of: .create(replicas: 1), number: 0))
        harness.write(.theirsConfirmed, of: "s")
        harness.send(.connected)
        #expect(harness.deliverAll().contains(.close(session: "s", .oursConfirmed)))
        #expect(harness.store.entry(of: "s")?.head == .theirsConfirmed)
    }

    @Test("At most 64 sessions are checked at one time, and all of them in the end")
    func pacing() {
        var harness = FenceHarness()
        for number in 0..<1000 {
            harness.send(.claim(UInt64(number), session: "s\(number)", .ours, askedAt: harness.now))
        }
        harness.send(.connected)
        harness.deliver()
        harness.deliver()
        harness.deliver()
        #expect(harness.sent.count == SessionFence.requestsMax)
        harness.deliverAll()
        #expect(harness.store.entries.count == 1000)
    }

    @Test("A bucket that has lost its entries receives the heads of the claimed sessions again")
    func lostEntries() {
        var harness = FenceHarness.holding()
        harness.store.loseEntries()
        harness.send(.clockAdvanced, at: 10_000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test(
        "An entry that the store has lost, and that is read before this is known, is written again")
    func lostEntry() {
        var harness = FenceHarness.holding()
        harness.store.loseEntries()
        #expect(harness.hint().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("Missed writes that have expired are not looked for again")
    func expiredWrites() {
        var harness = FenceHarness.holding()
        harness.write(.theirs, of: "t")
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
