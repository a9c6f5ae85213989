import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Sessions after their claim, and their ends.
@Suite("Held sessions")
struct HeldSessionTests {
    // MARK: - Later states

    @Test("The session is inspected every 10 s until its client has received the last `welcome`")
    func inspections() {
        var harness = FenceHarness.holding()
        #expect(harness.send(.clockAdvanced, at: 9999).isEmpty)
        #expect(harness.send(.clockAdvanced, at: 10_000) == [.inspectSession])
        harness.send(.inspected(session: "s", .ours))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.send(.clockAdvanced, at: 20_000) == [.inspectSession])
        harness.send(.inspected(session: "s", .oursConfirmed))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .oursConfirmed)
        #expect(harness.send(.clockAdvanced, at: 60_000).isEmpty)
    }

    @Test("A session is inspected at once when its client is known to have received the `welcome`")
    func confirmation() {
        var harness = FenceHarness.holding()
        #expect(harness.send(.confirmed(session: "s"), at: 5000) == [.inspectSession])
        harness.send(.inspected(session: "s", .oursConfirmed))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == .oursConfirmed)
        // It is not inspected again, nor is a session that needs no inspection.
        #expect(harness.send(.confirmed(session: "other"), at: 6000).isEmpty)
        #expect(harness.send(.clockAdvanced, at: 60_000).isEmpty)
        harness.deliverAll()
        #expect(harness.send(.confirmed(session: "s"), at: 60_001).isEmpty)
    }

    @Test("A client that often resumes does not cause more and more inspections")
    func repeatedConfirmation() {
        var harness = FenceHarness.holding()
        var inspections = 0
        for number in 2...100 as ClosedRange<UInt64> {
            let begin = Double(number) * 11_000
            var head = SessionHead.of(("a", 1), ("b", number), received: number - 1)
            harness.send(.resumed(session: "s", head, at: .ms(begin)), at: begin)
            harness.deliverAll()
            for step in 1...10 {
                if step == 10 { head = SessionHead.of(("a", 1), ("b", number), received: number) }
                let event = step == 10 ? .confirmed(session: "s") : SessionFence.Event.clockAdvanced
                for _ in harness.send(event, at: begin + Double(step) * 1050) {
                    inspections += 1
                    harness.send(.inspected(session: "s", head))
                    harness.deliverAll()
                }
            }
            #expect(harness.store.entry(of: "s")?.head == head)
        }
        #expect(inspections <= 200, "\(inspections) inspections")
    }

    @Test("If a claimed session is resumed at its node, its head is written again")
    func localResume() {
        var harness = FenceHarness.holding()
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        harness.send(.resumed(session: "s", resumed, at: harness.now))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == resumed)
    }

    @Test("A client keeps its session here if it missed the `welcome` of a node that claimed it")
    func returned() {
        var harness = FenceHarness.holding()
        // The other node has continued this session, and its client returns before the hint.
        harness.write(.continued, of: "s")
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        #expect(harness.send(.resumed(session: "s", resumed, at: harness.now)).isEmpty)
        #expect(!harness.deliverAll().contains(.closeSession))
        #expect(harness.store.entry(of: "s")?.head == resumed)
        // Without a resumption here, the same entry closes the session.
        harness = FenceHarness.holding()
        harness.write(.continued, of: "s")
        #expect(harness.hint().contains(.closeSession))
    }

    @Test("A return is known to be newer than a claim whose message comes late")
    func returnBeforeHint() {
        var harness = FenceHarness.connected()
        harness.write(.theirs, of: "s")
        let resumed = SessionHead.of(("a", 2), received: 1)
        harness.send(.resumed(session: "s", resumed, at: harness.now))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == resumed)
        #expect(harness.hint().isEmpty)
    }

    @Test(
        "A claim after the client's return closes the session, if no `welcome` is known to have come"
    )
    func claimAfterReturn() {
        for isHintEarly in [false, true] {
            var harness = FenceHarness.connected()
            harness.send(.resumed(session: "s", .of(("a", 2), received: 1), at: harness.now))
            if isHintEarly { harness.send(.received(.entry(session: "s"), [])) }
            #expect(harness.deliverAll().isEmpty)
            #expect(harness.store.entry(of: "s") == nil)
            #expect(harness.fence.held.isEmpty != isHintEarly)
            harness.write(.theirs, of: "s")
            harness.send(.received(.entry(session: "s"), []))
            if !isHintEarly { harness.send(.inspected(session: "s", .of(("a", 2), received: 1))) }
            #expect(
                harness.deliverAll() == [.close(session: "s", .of(("a", 2), received: 1))])
        }
    }

    @Test("A return whose entry is read too late does not count as newer than a claim")
    func lateReading() {
        let resumed = SessionHead.of(("a", 2), received: 1)
        for milliseconds in [250.0, 251] {
            var harness = FenceHarness.connected()
            harness.write(.theirs, of: "s")
            let returnedAt = harness.now
            harness.send(.clockAdvanced, at: milliseconds)
            harness.send(.resumed(session: "s", resumed, at: returnedAt))
            let isKept = milliseconds == 250
            #expect(harness.deliverAll() == (isKept ? [] : [.close(session: "s", resumed)]))
        }
    }

    @Test("A session that is inspected because of a hint is not forgotten with its return")
    func hintBeforeReturn() {
        var harness = FenceHarness.connected()
        #expect(harness.send(.received(.entry(session: "s"), [])) == [.inspectSession])
        let resumed = SessionHead.of(("a", 2), received: 1)
        harness.send(.resumed(session: "s", resumed, at: harness.now))
        harness.send(.inspected(session: "s", resumed))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.head == resumed)
    }

    @Test("The names of sessions that have ended do not fill the queue of a silent store")
    func queueOfEndedSessions() {
        var harness = FenceHarness.connected()
        for number in 0..<2000 {
            let name = "s\(number)"
            harness.send(.resumed(session: name, .of(("a", 2), received: 1), at: harness.now))
            harness.send(.ended(session: name, line: "a", revoking: nil))
        }
        #expect(harness.fence.held.isEmpty)
        #expect(harness.fence.waiting.count <= SessionFence.requestsMax + 3)
    }

    @Test("A session that was never claimed and is resumed here gets no entry")
    func unclaimedResume() {
        var harness = FenceHarness.connected()
        harness.send(.resumed(session: "s", .of(("a", 2), received: 1), at: harness.now))
        #expect(harness.sent.count == 1)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.fence.held.isEmpty)
        #expect(harness.store.entry(of: "s") == nil)
        // Without the store, nothing is asked.
        harness.send(.disconnected)
        harness.send(.resumed(session: "s", .of(("a", 3), received: 2), at: harness.now))
        #expect(harness.fence.held.isEmpty)
    }

    @Test("A client that has left a node without the store keeps its session at the other node")
    func leftWithoutStore() {
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        // The node has lost the bus before its client resumes, or loses the write of the new head.
        for isConnected in [false, true] {
            var harness = FenceHarness.holding()
            if !isConnected { harness.send(.disconnected) }
            harness.send(.resumed(session: "s", resumed, at: harness.now))
            #expect(harness.sent.isEmpty != isConnected)
            harness.loseMessages()
            harness.write(.continued, of: "s")
            harness.send(.clockAdvanced, at: 1000)
            if !isConnected { harness.send(.connected) }
            var effects = harness.deliverAll()
            harness.send(.clockAdvanced, at: 2000)
            effects += harness.deliverAll()
            #expect(effects.contains(.close(session: "s", resumed)))
            #expect(harness.store.entry(of: "s")?.head == .continued)
        }
    }

    @Test("A head that was written before the client returned does not settle its return")
    func returnDuringWrite() {
        var harness = FenceHarness.holding()
        harness.send(.inspected(session: "s", .oursConfirmed))
        let earlier = harness.handleFirst()
        let resumed = SessionHead.of(("a", 1), ("b", 2), received: 1)
        harness.send(.resumed(session: "s", resumed, at: harness.now))
        harness.reply(earlier.answer, to: earlier.message)
        harness.write(.continued, of: "s")
        #expect(!harness.deliverAll().contains(.closeSession))
        #expect(harness.store.entry(of: "s")?.head == resumed)
    }

    @Test("A session that does not exist any more is forgotten, and its entry stays")
    func gone() {
        for event in [
            SessionFence.Event.inspected(session: "s", nil),
            .ended(session: "s", line: "b", revoking: nil),
        ] {
            var harness = FenceHarness.holding()
            #expect(harness.send(event).isEmpty)
            #expect(harness.fence.held.isEmpty)
            #expect(harness.deliverAll().isEmpty)
            #expect(harness.store.entry(of: "s")?.head == .ours)
        }
    }

    @Test("A rebuilt session that was lost before it was rebuilt is checked")
    func lostBeforeRebuilding() {
        var harness = FenceHarness.holding()
        #expect(harness.send(.rebuilt(session: "s")) == [.inspectSession])
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 0), of: "s")
        #expect(harness.hint() == [.closeSession])
        #expect(harness.send(.rebuilt(session: "s")) == [.inspectSession])
        harness.send(.inspected(session: "s", .ours))
        #expect(harness.deliverAll() == [.closeSession])
    }

    // MARK: - Other nodes

    @Test("When another node has taken the session over, this node closes it")
    func takenOver() {
        var harness = FenceHarness.holding()
        harness.write(.theirs, of: "s")
        #expect(harness.hint() == [.closeSession])
        #expect(harness.fence.counters.closed == 1)
    }

    @Test("A write that was refused, and a forged one, have no effect")
    func refusedWrite() {
        var harness = FenceHarness.holding()
        #expect(harness.hint().isEmpty)
        #expect(harness.fence.held["s"] != nil)
    }

    @Test("A session that was never claimed gives way to a newer one of another node")
    func unclaimed() {
        var harness = FenceHarness.connected()
        harness.write(.theirs, of: "s")
        #expect(harness.hint() == [.inspectSession])
        harness.send(.inspected(session: "s", .opened))
        #expect(harness.deliverAll() == [.close(session: "s", .opened)])
    }

    @Test("A session whose client has received more than the other node knows is taken back")
    func takenBack() {
        var harness = FenceHarness.connected()
        harness.write(.theirs, of: "s")
        #expect(harness.hint() == [.inspectSession])
        let newer = SessionHead.of(("a", 2), received: 2)
        harness.send(.inspected(session: "s", newer))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == newer)
    }

    @Test("A hint about a session that is not at this node asks for it and nothing else")
    func unknownSession() {
        var harness = FenceHarness.connected()
        #expect(harness.hint() == [.inspectSession])
        #expect(harness.send(.inspected(session: "s", nil)).isEmpty)
        #expect(harness.sent.isEmpty)
        #expect(harness.fence.held.isEmpty)
    }

    // MARK: - Races

    @Test(
        "A client that returns before its session is closed keeps it, and the node claims it again")
    func returnBeforeClosing() {
        var harness = FenceHarness.holding()
        harness.write(.theirs, of: "s")
        #expect(harness.hint() == [.closeSession])
        // Until the session was closed, or has reported that it stays, the fence leaves it alone.
        #expect(harness.hint().isEmpty)
        harness.send(.inspected(session: "s", .ours))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == .theirs)

        let returned = SessionHead.of(("a", 1), ("b", 2), received: 1)
        harness.send(.inspected(session: "s", returned))
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == returned)
    }

    @Test(
        "A session that is lost and then ends, is not at this node, or is claimed anew, is forgotten"
    )
    func endOfLostSession() {
        for event in [
            SessionFence.Event.inspected(session: "s", nil),
            .ended(session: "s", line: "b", revoking: nil),
        ] {
            var harness = FenceHarness.holding()
            harness.write(.theirs, of: "s")
            harness.hint()
            #expect(harness.send(event).isEmpty)
            #expect(harness.fence.held.isEmpty)
        }
        var harness = FenceHarness.holding()
        harness.write(.theirs, of: "s")
        harness.hint()
        harness.claim(2, .continued)
        #expect(harness.fence.held["s"]?.isLost == false)
    }

    @Test("If the client of a lost session returned and then sent bye, the entry says so")
    func byeOfLostSession() {
        var harness = FenceHarness.holding()
        harness.write(.theirs, of: "s")
        harness.hint()
        let last = SessionHead.of(("a", 1), ("b", 2), received: 2)
        harness.send(.ended(session: "s", line: "b", revoking: last))
        harness.deliverAll()
        #expect(harness.store.entry(of: "s")?.isRevoked == true)
    }

    @Test("The end of an earlier connection does not end the fence of a later line")
    func earlierEnd() {
        var harness = FenceHarness.holding()
        for head in [nil, SessionHead.opened] {
            #expect(harness.send(.ended(session: "s", line: "a", revoking: head)).isEmpty)
        }
        #expect(harness.fence.held["s"]?.head == .ours)
        #expect(harness.deliverAll().isEmpty)
    }

    @Test("If the message about a write is faster than the write, the second reading finds it")
    func earlyMessage() {
        var harness = FenceHarness.holding()
        #expect(harness.hint().isEmpty)
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 1), of: "s")
        #expect(harness.send(.clockAdvanced, at: 999).isEmpty)
        #expect(harness.deliverAll().isEmpty)
        harness.send(.clockAdvanced, at: 1000)
        #expect(harness.deliverAll() == [.closeSession])
    }

    @Test("A write of another node whose message is lost is found by the next request for state")
    func lostMessage() {
        var harness = FenceHarness.holding()
        harness.write(.of(("a", 1), ("b", 1), ("d", 1), received: 1), of: "s")
        harness.send(.clockAdvanced, at: 10_000)
        #expect(harness.deliverAll().contains(.closeSession))
    }

    @Test("Two connections of one client at one node keep one session, whichever is rebuilt")
    func siblingsHere() {
        var harness = FenceHarness.holding()
        // The other connection was rebuilt, on a line of its own.
        let sibling = SessionHead.of(("a", 1), ("x", 1), received: 0)
        #expect(harness.send(.rebuilt(session: "s")) == [.inspectSession])
        #expect(harness.send(.inspected(session: "s", sibling)).isEmpty)
        #expect(harness.deliverAll().isEmpty)
        #expect(harness.store.entry(of: "s")?.head == sibling)
    }

}
