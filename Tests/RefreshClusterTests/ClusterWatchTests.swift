import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Source: docs/cluster.md, "Watching all nodes".
@Suite("Watching all nodes")
struct ClusterWatchTests {
    private static let (other, third) = (MachineHarness.other, MachineHarness.third)
    private static let selection = EventSelection(session: "c0")
    private static let event = Array(#"{"event":"closed","session":"c0"}"#.utf8)

    private static func id(_ number: UInt64 = 1, at node: NodeID = other) -> RemoteWatchID {
        RemoteWatchID(node: node, number: number)
    }

    private func received(
        by harness: inout MachineHarness, _ selection: EventSelection = selection,
        number: UInt64 = 1, at ms: Double? = nil
    ) -> [MachineHarness.Outcome] {
        harness.receive(.watch(selection, number: number), at: ms)
    }

    // MARK: The node of the watcher

    @Test("A watch is sent at once, repeated every second and after a reconnection, and ended")
    func lease() {
        var harness = MachineHarness()
        let sent = MachineHarness.Outcome.toAll(.watch(Self.selection, number: 4))
        #expect(harness.send(.watch(Self.selection, id: 4), at: 300) == [sent])
        #expect(harness.advance(to: 999).isEmpty)
        #expect(harness.advance(to: 3500).filter { $0 == sent }.count == 3)
        harness.send(.disconnected)
        #expect(harness.send(.connected, at: 4000).contains(sent))
        #expect(harness.send(.unwatch(id: 4)) == [.toAll(.unwatch(number: 4))])
        #expect(!harness.advance(to: 7000).contains(sent))
    }

    @Test("Events of a live node reach the watcher; others, and those of an ended watch, do not")
    func events() {
        var harness = MachineHarness()
        harness.join()
        harness.send(.watch(Self.selection, id: 4))
        let content = BusMessage.Content.watched([Self.event, Self.event], number: 4)
        #expect(
            harness.receive(content)
                == [.effect(.eventsReceived([Self.event, Self.event], id: 4))])
        #expect(harness.receive(content, from: Self.third).isEmpty)
        #expect(harness.receive(.watched([Self.event], number: 5)).isEmpty)
        harness.send(.unwatch(id: 4))
        #expect(harness.receive(content).isEmpty)
    }

    // MARK: The node of the session

    @Test("A watch of a live node begins once, and ends when it is not repeated for 3.5 s")
    func served() {
        var harness = MachineHarness()
        #expect(received(by: &harness).isEmpty)
        harness.join()
        let begin = MachineHarness.Outcome.effect(.beginWatch(Self.selection, Self.id()))
        let end = MachineHarness.Outcome.effect(.endWatch(Self.id()))
        #expect(received(by: &harness, at: 10) == [begin])
        harness.join(at: 2000)
        #expect(received(by: &harness, at: 2000).isEmpty)
        harness.join(at: 4000)
        #expect(!harness.advance(to: 5499).contains(end))
        #expect(harness.advance(to: 5500).contains(end))
        // It begins again, for example after the bus was slow.
        #expect(received(by: &harness, at: 5600) == [begin])
        #expect(harness.receive(.unwatch(number: 1)) == [end])
        #expect(harness.receive(.unwatch(number: 1)).isEmpty)
    }

    @Test("The watches of a node that leaves or is lost end, and a lost bus ends all")
    func lost() {
        for event in [nil, .disconnected, .stopped] as [ClusterMachine.Event?] {
            var harness = MachineHarness()
            harness.join()
            _ = received(by: &harness, number: 1)
            _ = received(by: &harness, number: 2)
            let outcomes = event.map { harness.send($0) } ?? harness.receive(.leave)
            #expect(outcomes.contains(.effect(.endWatch(Self.id(1)))))
            #expect(outcomes.contains(.effect(.endWatch(Self.id(2)))))
        }
    }

    @Test("At most 16 watches of other nodes are served")
    func tooMany() {
        var harness = MachineHarness()
        harness.join()
        for number in UInt64(1)...16 {
            #expect(received(by: &harness, number: number).count == 1)
        }
        #expect(received(by: &harness, number: 17).isEmpty)
        #expect(harness.machine.counters.watchesRefused == 1)
        harness.receive(.unwatch(number: 3))
        #expect(received(by: &harness, number: 17).count == 1)
    }

    @Test("Events are sent at once, and then at most every 50 ms until none wait")
    func pace() {
        var harness = MachineHarness()
        harness.join()
        _ = received(by: &harness)
        let collect = MachineHarness.Outcome.effect(.collectEvents(Self.id()))
        let sent = MachineHarness.Outcome.to(Self.other, .watched([Self.event], number: 1))
        harness.send(.eventsWaiting(Self.id()), at: 100)
        #expect(harness.advance(to: 100) == [collect])
        #expect(harness.send(.eventsCollected([Self.event], Self.id())) == [sent])
        // More may wait.
        #expect(harness.advance(to: 149).isEmpty)
        #expect(harness.advance(to: 150) == [collect])
        // An event that arrives between the collection and its report is not forgotten.
        harness.send(.eventsWaiting(Self.id()))
        #expect(harness.send(.eventsCollected(nil, Self.id())).isEmpty)
        #expect(harness.advance(to: 200) == [collect])
        #expect(harness.send(.eventsCollected(nil, Self.id())).isEmpty)
        #expect(harness.advance(to: 900).isEmpty)
    }

    @Test("Events that are collected after the end of their watch are not sent")
    func late() {
        var harness = MachineHarness()
        harness.join()
        _ = received(by: &harness)
        harness.receive(.unwatch(number: 1))
        #expect(harness.send(.eventsWaiting(Self.id())).isEmpty)
        #expect(harness.send(.eventsCollected([Self.event], Self.id())).isEmpty)
    }
}
