import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Loads that one node performs for another one. Source: docs/cluster.md.
@Suite("Remote loads")
struct RemoteLoadTests {
    private let own = MachineHarness.own
    private let other = MachineHarness.other
    private let third = MachineHarness.third

    private func joined() -> MachineHarness {
        var harness = MachineHarness()
        harness.join(at: 0)
        harness.join(third, at: 0)
        return harness
    }

    private func remote(_ number: UInt64) -> RemoteLoadID {
        RemoteLoadID(node: other, number: number)
    }

    // MARK: - The requesting node

    @Test("An ask is sent to its owner, and the owner's events reach the broker")
    func ask() {
        var harness = joined()
        let order = RemoteOrder.of(70, deadline: 5000)
        let load = AskedLoad(
            order.request, idempotencyKey: "key-70", keptPages: .any, deadlineMs: 4900)
        #expect(harness.send(.ask(other, order), at: 100) == [.to(other, .load(load, number: 1))])
        let call = CallID(70)
        for event in [.waiting, .progressed(0.5)] as [OwnerEvent] {
            #expect(
                harness.receive(.event(event, number: 1)) == [.effect(.ownerEvent(event, call))])
        }
        let page = OwnerEvent.page("[1]", count: 1)
        #expect(harness.receive(.event(page, number: 1)) == [.effect(.ownerEvent(page, call))])
        #expect(harness.machine.openAsks == 0)
        #expect(harness.machine.counters.asksAnswered == 1)
    }

    @Test("An answer that comes late or twice, or from another node, is counted and dropped")
    func lateAnswers() {
        var harness = joined()
        harness.send(.ask(other, .of(70)), at: 100)
        let refused = BusMessage.Content.event(.refused(.busy), number: 1)
        #expect(harness.receive(refused, from: third).isEmpty)
        #expect(harness.receive(.event(.waiting, number: 2)).isEmpty)
        #expect(harness.receive(refused) == [.effect(.ownerEvent(.refused(.busy), CallID(70)))])
        #expect(harness.receive(refused).isEmpty)
        #expect(harness.machine.counters.lateAnswers == 3)
        #expect(harness.machine.counters.asksRefused == [.busy: 1])
    }

    @Test("An ask that the broker withdraws is cancelled at its owner, and no event follows")
    func withdrawal() {
        var harness = joined()
        harness.send(.ask(other, .of(70)), at: 100)
        #expect(harness.send(.withdraw(CallID(70), from: third)).isEmpty)
        #expect(
            harness.send(.withdraw(CallID(70), from: other)) == [.to(other, .cancel(number: 1))])
        #expect(harness.send(.withdraw(CallID(70), from: other)).isEmpty)
        #expect(harness.receive(.event(.waiting, number: 1)).isEmpty)
        #expect(harness.machine.openAsks == 0)
    }

    @Test("A second ask of the same call replaces the first one")
    func replacement() {
        var harness = joined()
        harness.send(.ask(other, .of(70)), at: 100)
        let outcomes = harness.send(.ask(third, .of(70)), at: 200)
        #expect(outcomes.first == .to(other, .cancel(number: 1)))
        #expect(outcomes.count == 2)
        #expect(harness.receive(.event(.refused(.busy), number: 1)).isEmpty)
        #expect(harness.receive(.event(.waiting, number: 2), from: third).count == 1)
        #expect(harness.machine.openAsks == 1)
    }

    @Test("An ask at a node that is not live is not sent, because the broker hears of new owners")
    func deadNode() {
        var harness = joined()
        #expect(harness.send(.ask(NodeID(bits: 99), .of(1)), at: 100).isEmpty)
        #expect(harness.send(.ask(own, .of(2))).isEmpty)
        #expect(harness.send(.ask(other, .of(3, deadline: 100))).isEmpty)
        harness.send(.disconnected)
        #expect(harness.send(.ask(other, .of(4))).isEmpty)
        #expect(harness.machine.openAsks == 0)
        #expect(harness.machine.counters.asksNotSent == 4)
    }

    @Test("The asks at a node that is lost, leaves or is cut off end without an event")
    func lostOwner() {
        var harness = joined()
        harness.send(.ask(other, .of(1)), at: 100)
        harness.send(.ask(third, .of(2)), at: 100)
        let outcomes = harness.receive(.leave, at: 200)
        #expect(
            outcomes == [
                .effect(.ownersChanged(RequestOwners(own: own, live: [own, third])))
            ])
        #expect(harness.machine.openAsks == 1)
        let lost = harness.advance(to: 3500)
        #expect(lost.contains(.to(third, .cancel(number: 2))))
        #expect(lost.owners == .some(nil))
        #expect(harness.machine.openAsks == 0)
        harness.join(at: 4000)
        harness.send(.ask(other, .of(3)))
        #expect(harness.send(.disconnected) == [.effect(.ownersChanged(nil))])
        #expect(harness.machine.openAsks == 0)
        #expect(harness.machine.counters.asksLost == 3)
    }

    @Test("An ask does not outlive its deadline")
    func expiry() {
        var harness = joined()
        harness.send(.ask(other, .of(1, deadline: 1500)), at: 100)
        #expect(harness.advance(to: 1999).filter { $0 == .to(other, .cancel(number: 1)) }.isEmpty)
        #expect(harness.advance(to: 2000).contains(.to(other, .cancel(number: 1))))
        #expect(harness.machine.openAsks == 0)
    }

    @Test("A request that is too large for the bus is refused without a message")
    func largeRequest() {
        var harness = joined()
        harness.machine.payloadBytesMax = 300
        var request = LoadRequest.page(1)
        request.cursor = String(repeating: "x", count: 300)
        #expect(
            harness.send(.ask(other, .of(70, request)), at: 100) == [
                .effect(.ownerEvent(.refused(.tooLarge), CallID(70)))
            ])
        #expect(harness.machine.openAsks == 0)
    }

    // MARK: - The owner

    @Test("An owner starts a load once, reports its events, and says every 250 ms that it runs")
    func owner() {
        var harness = joined()
        let request = BrokerRequest(.page(1), idempotencyKey: "key", keptPages: .any)
        let load = BusMessage.Content.load(.of(deadlineMs: 2000), number: 5)
        #expect(
            harness.receive(load, at: 100) == [
                .effect(.startLoad(request, remote(5), deadlineMs: 2000))
            ])
        #expect(harness.receive(load, at: 110).isEmpty)
        let waiting = MachineHarness.Outcome.to(other, .event(.waiting, number: 5))
        #expect(harness.advance(to: 349).isEmpty)
        #expect(harness.advance(to: 350) == [waiting])
        #expect(harness.advance(to: 850) == [waiting, waiting])
        #expect(
            harness.send(.loadEvent(.progressed(0.5), remote(5))) == [
                .to(other, .event(.progressed(0.5), number: 5))
            ])
        let page = OwnerEvent.page("[1,2]", count: 2)
        #expect(harness.send(.loadEvent(page, remote(5))) == [.to(other, .event(page, number: 5))])
        #expect(harness.send(.loadEvent(page, remote(5))).isEmpty)
        #expect(harness.receive(load, at: 900).isEmpty)
        #expect(harness.machine.counters.loadsRepeated == 2)
        #expect(harness.machine.runningLoads == 0)
        #expect(!harness.advance(to: 3000).contains(waiting))
    }

    @Test("A load that is not needed any more is cancelled, even if its cancellation comes first")
    func cancellation() {
        var harness = joined()
        harness.receive(.load(.of(), number: 5), at: 100)
        #expect(harness.receive(.cancel(number: 5), from: third).isEmpty)
        #expect(harness.receive(.cancel(number: 5)) == [.effect(.cancelLoad(remote(5)))])
        #expect(harness.receive(.cancel(number: 5)).isEmpty)
        #expect(harness.send(.loadEvent(.failed(LoadFailure(.backendBusy, "")), remote(5))).isEmpty)
        #expect(harness.receive(.cancel(number: 6)).isEmpty)
        #expect(harness.receive(.load(.of(), number: 6)).isEmpty)
        #expect(harness.machine.counters.loadsCancelled == 1)
    }

    @Test("The loads of a node that leaves, is lost or is cut off are cancelled")
    func lostRequester() {
        var harness = joined()
        harness.receive(.load(.of(), number: 2), at: 100)
        harness.receive(.load(.of(), number: 1), at: 100)
        harness.receive(.load(.of(), number: 1), from: third, at: 100)
        let outcomes = harness.receive(.leave, at: 200)
        #expect(
            outcomes.prefix(2) == [
                .effect(.cancelLoad(remote(1))), .effect(.cancelLoad(remote(2))),
            ])
        let load = RemoteLoadID(node: third, number: 1)
        #expect(harness.advance(to: 3500).contains(.effect(.cancelLoad(load))))
        #expect(harness.machine.runningLoads == 0)
        harness.join(at: 4000)
        harness.receive(.load(.of(), number: 3))
        #expect(harness.send(.disconnected).first == .effect(.cancelLoad(remote(3))))
    }

    @Test("A load ends at its deadline")
    func deadline() {
        var harness = joined()
        harness.receive(.load(.of(deadlineMs: 300), number: 1), at: 0)
        // The first report comes after an eighth of the time.
        let report = MachineHarness.Outcome.to(other, .event(.waiting, number: 1))
        #expect(harness.advance(to: 299) == [report, report])
        #expect(harness.advance(to: 300) == [.effect(.cancelLoad(remote(1)))])
        #expect(harness.machine.runningLoads == 0)
    }

    @Test("A load is refused if its feed is not shared here, or its node is not live")
    func refusals() {
        var harness = joined()
        #expect(
            harness.receive(.load(.of(.page(1, of: "foreign")), number: 1), at: 10) == [
                .to(other, .event(.refused(.unknownFeed), number: 1))
            ])
        let stranger = NodeID(bits: 77)
        #expect(
            harness.receive(.load(.of(), number: 1), from: stranger) == [
                .to(stranger, .event(.refused(.busy), number: 1))
            ])
        harness.receive(.load(.of(), number: 2))
        #expect(
            harness.send(.loadEvent(.refused(.stopping), remote(2))) == [
                .to(other, .event(.refused(.stopping), number: 2))
            ])
        #expect(
            harness.machine.counters.loadsRefused == [.unknownFeed: 1, .busy: 1, .stopping: 1])
    }

    @Test("A page that is too large for the bus is refused")
    func largePage() {
        var harness = joined()
        harness.machine.payloadBytesMax = 200
        harness.receive(.load(.of(), number: 1), at: 10)
        let items = "[\"" + String(repeating: "x", count: 200) + "\"]"
        #expect(
            harness.send(.loadEvent(.page(items, count: 1), remote(1))) == [
                .to(other, .event(.refused(.tooLarge), number: 1))
            ])
        #expect(harness.machine.runningLoads == 0)
    }

    @Test("The number of loads for other nodes is limited")
    func limit() {
        var harness = joined()
        for number in 1...UInt64(PerformedLoads.loadsMax) {
            harness.receive(.load(.of(), number: number), at: 10)
        }
        #expect(harness.machine.runningLoads == PerformedLoads.loadsMax)
        let next = UInt64(PerformedLoads.loadsMax) + 1
        #expect(
            harness.receive(.load(.of(), number: next)) == [
                .to(other, .event(.refused(.busy), number: next))
            ])
    }

    @Test("The memory of ended loads is bounded, and recognizes the last ones")
    func endedLoads() {
        var ended = EndedLoads()
        for number in stride(from: 2, through: 20_000, by: 2) as StrideThrough<UInt64> {
            #expect(!ended.contains(number))
            ended.insert(number)
            #expect(ended.contains(number))
        }
        #expect(ended.contains(2))
        #expect(!ended.contains(19_999))
        #expect(ended.contains(1))
    }

    @Test("A forged sender is only another node's name: nothing traps, and its effects are limited")
    func forgery() {
        var harness = joined()
        harness.send(.ask(other, .of(70)), at: 100)
        harness.receive(.load(.of(), number: 1), at: 100)
        // An answer in the name of a node that was not asked.
        #expect(harness.receive(.event(.page("[]", count: 0), number: 1), from: third).isEmpty)
        // The end of a load in the name of another node.
        #expect(harness.receive(.cancel(number: 1), from: third).isEmpty)
        // Numbers at the end of their range.
        let last = UInt64(BusMessageLimits.integerMax)
        #expect(
            harness.receive(.changed(FeedChange("news"), number: last), from: third).feedChanges
                == [FeedChange("news")])
        harness.receive(.load(.of(), number: last))
        harness.receive(.cancel(number: last), from: third)
        // Every message in the name of this node is ignored.
        let before = harness.machine.counters
        for content in MessageSamples.contents {
            #expect(harness.receive(content, from: own).isEmpty)
        }
        #expect(harness.machine.counters == before)
        #expect(before.lateAnswers == 1)
        #expect(harness.machine.openAsks == 1)
        #expect(harness.machine.runningLoads == 2)
    }
}
