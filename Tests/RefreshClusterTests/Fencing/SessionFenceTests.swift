import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// One holder of a session. Source: docs/cluster.md.
@Suite("Fence of sessions")
struct SessionFenceTests {
    // MARK: - Claims

    @Test("A first claim writes the entry, and the session may be rebuilt")
    func firstClaim() {
        var harness = FenceHarness.connected()
        #expect(harness.claim(1, .ours).isEmpty)
        #expect(harness.deliverAll() == [.answer(1, .fenced)])
        #expect(harness.store.entry(of: "s") == StoredHead(node: FenceHarness.own, .ours))
        #expect(harness.fence.counters.claims == [.fenced: 1])
    }

    @Test("Just after the start, a claim waits until the bus is connected, but at most 250 ms")
    func starting() {
        var harness = FenceHarness()
        harness.send(.clockAdvanced, at: 0)
        #expect(harness.claim(1, .ours).isEmpty)
        harness.send(.connected, at: 100)
        #expect(harness.deliverAll() == [.available, .answer(1, .fenced)])

        var alone = FenceHarness()
        alone.send(.clockAdvanced, at: 0)
        #expect(alone.claim(1, .ours).isEmpty)
        #expect(alone.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
        // Later, the bus counts as unavailable.
        alone.send(.clockAdvanced, at: 4000)
        #expect(alone.claim(2, .ours) == [.answer(2, .unfenced)])
    }

    @Test("A snapshot whose successor may not have reached the client takes the session over")
    func unconfirmed() {
        var harness = FenceHarness.connected()
        harness.write(.theirs, of: "s")
        _ = harness.claim(1, .ours)
        #expect(harness.deliverAll() == [.answer(1, .fenced)])
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("A snapshot is refused if its client has received a newer state")
    func superseded() {
        var harness = FenceHarness.connected()
        harness.write(.theirsConfirmed, of: "s")
        _ = harness.claim(1, .ours)
        #expect(harness.deliverAll() == [.answer(1, .superseded)])
        #expect(harness.store.entry(of: "s")?.head == .theirsConfirmed)
        #expect(harness.fence.held.isEmpty)
    }

    @Test("A snapshot with the newest state is accepted, and with an older `welcome` refused")
    func welcomes() {
        var harness = FenceHarness.connected()
        harness.write(.of(("a", 3), received: 3), of: "s")
        _ = harness.claim(1, .of(("a", 2), ("b", 1), received: 0))
        #expect(harness.deliverAll() == [.answer(1, .superseded)])
        _ = harness.claim(2, .of(("a", 3), ("b", 1), received: 0))
        #expect(harness.deliverAll() == [.answer(2, .fenced)])
    }

    @Test("A session that its client has ended is refused, also with its newest snapshot")
    func revoked() {
        var harness = FenceHarness.connected()
        harness.write(.opened, of: "s", isRevoked: true)
        _ = harness.claim(1, .ours)
        #expect(harness.deliverAll() == [.answer(1, .revoked)])
    }

    @Test("If another node writes between reading and writing, the entry is read again")
    func conflict() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        #expect(harness.deliver().isEmpty)
        harness.write(.theirsConfirmed, of: "s")
        #expect(harness.deliverAll() == [.answer(1, .superseded)])
        #expect(harness.fence.counters.conflicts == 1)
    }

    @Test("After too many conflicts in a row, the session waits before it tries again")
    func conflicts() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        for number in 1...9 {
            #expect(harness.deliver().isEmpty)
            harness.write(.of(("a", 1), ("c\(number)", 1), received: 0), of: "s")
            #expect(harness.deliver().isEmpty)
        }
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.fence.counters.conflicts == 9)
        #expect(harness.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
        harness.send(.clockAdvanced, at: 1000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("Two claims with one snapshot wait for the same answer; a newer snapshot wins")
    func concurrentClaims() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        _ = harness.claim(2, .of(("a", 1), ("d", 1), received: 0))
        #expect(harness.claim(3, .of(("z", 1), ("d", 1), received: 0)) == [.answer(3, .superseded)])
        let newer = SessionHead.of(("a", 1), ("b", 1), ("e", 1), received: 0)
        #expect(
            harness.claim(4, newer) == [.answer(1, .superseded), .answer(2, .superseded)])
        #expect(harness.deliverAll() == [.answer(4, .fenced)])
        #expect(harness.store.entry(of: "s")?.head == newer)
    }

    @Test("A session whose name cannot be a key is rebuilt without a claim")
    func unusableNames() {
        var harness = FenceHarness.connected()
        for name in ["", "a.b", "a*", "\u{e9}", String(repeating: "a", count: 65)] {
            #expect(
                harness.send(.claim(1, session: name, .ours, askedAt: harness.now)) == [
                    .answer(1, .unfenced)
                ], "\(name)")
            #expect(harness.send(.ended(session: name, line: "b", revoking: .ours)).isEmpty)
            #expect(harness.send(.inspected(session: name, .ours)).isEmpty)
        }
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.fence.held.isEmpty)
    }

    @Test("Above the limit of claims, a session is rebuilt without an answer")
    func claimsMax() {
        var harness = FenceHarness.connected()
        for number in 1...UInt64(SessionFence.claimsMax) {
            #expect(
                harness.send(.claim(number, session: "s\(number)", .ours, askedAt: harness.now))
                    .isEmpty)
        }
        #expect(
            harness.send(.claim(0, session: "s", .ours, askedAt: harness.now)) == [
                .answer(0, .unfenced)
            ])
        #expect(harness.deliverAll().count == SessionFence.claimsMax)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    // MARK: - Time-outs

    @Test("Without an answer for 250 ms, the session is rebuilt, and its head is written later")
    func timeout() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        harness.loseMessages()
        #expect(harness.send(.clockAdvanced, at: 249).isEmpty)
        #expect(harness.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
        #expect(harness.fence.counters.claims == [.unfenced: 1])
        harness.send(.clockAdvanced, at: 1000)
        #expect(harness.deliverAll().isEmpty)
        harness.send(.clockAdvanced, at: 2000)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == .ours)
        #expect(harness.fence.counters.timeouts == 1)
    }

    @Test("An answer that comes after the 250 ms is used for the later check")
    func lateAnswer() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        #expect(harness.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
        harness.write(.theirsConfirmed, of: "s")
        #expect(harness.deliverAll() == [.closeSession])
        #expect(harness.fence.counters.closed == 1)
        harness.send(.ended(session: "s", line: "b", revoking: nil))
        #expect(harness.fence.held.isEmpty)
    }

    @Test("After a write without an answer, the entry is read, and the own write is recognized")
    func unknownWrite() {
        for isWritten in [true, false] {
            var harness = FenceHarness.connected()
            _ = harness.claim(1, .ours)
            harness.deliver()
            // The write takes place or is lost; in both cases no answer arrives.
            if isWritten { _ = harness.handleFirst() } else { harness.loseMessages() }
            #expect(harness.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
            harness.send(.clockAdvanced, at: 1000)
            #expect(harness.deliverAll().isEmpty)
            harness.send(.clockAdvanced, at: 2000)
            #expect(harness.deliverAll().isEmpty)
            #expect(harness.store.entry(of: "s")?.head == .ours)
            #expect(harness.store.entries.first?.value.revision == 1)
        }
    }

    @Test("The answer to a request that has expired or never existed is dropped")
    func expiredAnswer() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        let (answer, message) = harness.handleFirst()
        harness.send(.clockAdvanced, at: 250)
        harness.send(.clockAdvanced, at: 1000)
        harness.deliverAll()
        #expect(harness.reply(answer, to: message).isEmpty)
        harness.reply(#"{"stream":"K","seq":1}"#, to: message)
        #expect(harness.fence.counters.dropped == 2)
        harness.send(.clockAdvanced, at: 2000)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("Garbage is dropped, and the right answer is still accepted")
    func garbage() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        let (answer, message) = harness.handleFirst()
        for text in ["x", "{}", "[1]", #"{"message":1}"#, #"{"error":1e400}"#] {
            #expect(harness.reply(text, to: message).isEmpty)
        }
        #expect(harness.fence.counters.dropped >= 4)
        #expect(harness.reply(answer, to: message).isEmpty)
        #expect(harness.deliverAll() == [.answer(1, .fenced)])
    }

    @Test("An answer of another kind does not end in a loop of requests")
    func wrongKind() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        let message = harness.handleFirst().message
        #expect(harness.reply(#"{"stream":"K","seq":9}"#, to: message).isEmpty)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.send(.clockAdvanced, at: 250) == [.answer(1, .unfenced)])
        harness.send(.clockAdvanced, at: 1000)
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .ours)
    }

    @Test("An entry that cannot be read is replaced")
    func unreadableEntry() {
        var harness = FenceHarness.connected()
        _ = harness.claim(1, .ours)
        let message = harness.handleFirst().message
        harness.reply(#"{"message":{"subject":"s","seq":7,"data":"AAAA"}}"#, to: message)
        let put = harness.handleFirst().message
        #expect(put.expectedRevision == 7)
        #expect(
            harness.reply(#"{"stream":"K","seq":8}"#, to: put) == [.answer(1, .fenced)])
    }
}
