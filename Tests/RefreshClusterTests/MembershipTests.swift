import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// The states that nodes publish, and what other nodes learn from them. Source: docs/cluster.md.
@Suite("The nodes of a cluster")
struct MembershipTests {
    private let own = MachineHarness.own
    private let other = MachineHarness.other
    private let third = MachineHarness.third

    @Test("A node publishes its state at once after connecting, and then every second")
    func states() {
        var harness = MachineHarness(connectedAt: nil)
        harness.send(.census(sessions: 0, workers: ["news", "mail", "news"]))
        #expect(harness.machine.nextDeadline == nil)
        let state = NodeState(
            name: "web-1", version: "1.0.0", sessions: 0, workers: ["mail", "news"])
        // A load may have kept a page before.
        #expect(
            harness.send(.connected, at: 100) == [
                .toAll(.state(state)), .effect(.pagesOutdated(feed: "mail")),
                .effect(.pagesOutdated(feed: "news")),
            ])
        #expect(harness.machine.nextDeadline == .ms(1100))
        #expect(harness.advance(to: 1099).isEmpty)
        #expect(harness.advance(to: 4100) == Array(repeating: .toAll(.state(state)), count: 4))
        #expect(harness.machine.counters.published == [.state: 5])
    }

    @Test("After a delay of the thread, missed states are not made up for")
    func delay() {
        var harness = MachineHarness()
        #expect(harness.send(.clockAdvanced, at: 10_300).count == 1)
        #expect(harness.advance(to: 11_000).isEmpty)
        #expect(harness.advance(to: 11_300).count == 1)
    }

    @Test("A node that was unknown gets a state of its own, and becomes an owner of requests")
    func joining() {
        var harness = MachineHarness()
        let owners = RequestOwners(own: own, live: [own, other])
        #expect(
            harness.join(at: 10) == [
                .to(other, .state(harness.state)), .effect(.ownersChanged(owners)),
            ])
        #expect(harness.join(at: 20).isEmpty)
        #expect(harness.machine.nodes.map(\.id) == [own, other])
        let node = harness.machine.nodes[1]
        #expect(node.name == "node 2" && node.version == "1.0.0" && node.sessions == 3)
        #expect(node.lastStateAt == .ms(20))
        #expect(node.ageMs(at: .ms(120)) == 100)
        #expect(harness.machine.nodes[0].ageMs(at: .ms(120)) == 0)
    }

    @Test("A node is lost when no state of it comes for 3.5 s")
    func loss() {
        var harness = MachineHarness()
        harness.join(at: 10)
        harness.join(third, at: 20)
        #expect(harness.advance(to: 3509).owners == nil)
        #expect(
            harness.advance(to: 3510).owners == RequestOwners(own: own, live: [own, third]))
        #expect(harness.advance(to: 3520).owners == .some(nil))
        #expect(harness.machine.nodes.map(\.id) == [own])
        #expect(harness.machine.counters.nodesLost == 2)
        #expect(harness.join(at: 4000).owners == RequestOwners(own: own, live: [own, other]))
    }

    @Test("After a delay of the thread, states that wait are read before nodes are lost")
    func delayedStates() {
        var harness = MachineHarness()
        harness.join(at: 10)
        harness.join(third, at: 10)
        #expect(harness.join(at: 9000).owners == nil)
        #expect(harness.join(third, at: 9000).owners == nil)
        #expect(harness.send(.clockAdvanced, at: 9000).owners == nil)
    }

    @Test("While a thread catches up with a delay, no event causes the loss of a node")
    func backlog() {
        var harness = MachineHarness()
        harness.join(at: 10)
        harness.machine.hasBacklog = true
        #expect(harness.send(.census(sessions: 1, workers: []), at: 9000).owners == nil)
        #expect(harness.send(.changed(FeedChange("news")), at: 9010).owners == nil)
        #expect(harness.send(.clockAdvanced, at: 9020).owners == nil)
        #expect(harness.machine.counters.nodesLost == 0)
        harness.machine.hasBacklog = false
        #expect(harness.send(.clockAdvanced, at: 9030).owners == .some(nil))
        #expect(harness.machine.counters.nodesLost == 1)
    }

    @Test("A node that leaves is lost at once, and a state that the bus has delayed does not count")
    func leaving() {
        var harness = MachineHarness()
        harness.join(at: 10)
        #expect(harness.receive(.leave, at: 20) == [.effect(.ownersChanged(nil))])
        #expect(harness.receive(.leave, at: 30).isEmpty)
        #expect(harness.join(at: 3529).owners == nil)
        #expect(harness.machine.counters.nodesLeft == 1)
        #expect(harness.machine.counters.nodesLost == 0)
        // If the `leave` was forged, the node is live again after that.
        #expect(harness.join(at: 3530).owners != nil)
    }

    @Test("A restarted node is a new node")
    func restart() {
        var harness = MachineHarness()
        harness.join(changes: ["news": 7], at: 0)
        harness.receive(.changed(FeedChange("news"), number: 8), at: 10)
        harness.receive(.leave, at: 20)
        let outcomes = harness.join(third, at: 30)
        #expect(outcomes.owners == RequestOwners(own: own, live: [own, third]))
        #expect(harness.machine.nodes.map(\.id) == [own, third])
        // The new node numbers its changes from 1 again.
        let change = harness.receive(.changed(FeedChange("news"), number: 1), from: third, at: 40)
        #expect(change.feedChanges == [FeedChange("news")])
    }

    @Test("Without the bus, no other node is live")
    func disconnection() {
        var harness = MachineHarness()
        harness.join(at: 10)
        #expect(harness.send(.disconnected, at: 20) == [.effect(.ownersChanged(nil))])
        #expect(harness.machine.nextDeadline == nil)
        #expect(harness.join(at: 30).isEmpty)
        #expect(harness.machine.counters.dropped == [.disconnected: 1])
        #expect(harness.send(.disconnected, at: 40).isEmpty)
        #expect(harness.machine.nodes.map(\.id) == [own])
        #expect(!harness.machine.isBusConnected)
    }

    @Test("Owners take into account where the workers of a feed are connected")
    func workers() {
        var harness = MachineHarness()
        harness.join(workers: ["news", "foreign"], at: 0)
        let live = [own, other]
        #expect(harness.join(workers: ["news", "foreign"], at: 10).owners == nil)
        #expect(harness.machine.owners?.workers == ["news": [other]])
        #expect(
            harness.send(.census(sessions: 1, workers: ["mail", "news"]), at: 20).owners
                == RequestOwners(
                    own: own, live: live, workers: ["news": [own, other], "mail": [own]]))
        #expect(harness.send(.census(sessions: 2, workers: ["news", "mail"]), at: 30).isEmpty)
        #expect(
            harness.send(.feeds(["mail"]), at: 40).owners
                == RequestOwners(own: own, live: live, workers: ["mail": [own]]))
        #expect(harness.join(workers: ["mail"], at: 50).owners != nil)
    }

    @Test("A message of this node, which the bus returns, is ignored")
    func echo() {
        var harness = MachineHarness()
        #expect(harness.join(own, at: 10).isEmpty)
        #expect(harness.receive(.leave, from: own).isEmpty)
        #expect(harness.machine.counters.received.isEmpty)
        #expect(harness.machine.counters.dropped.isEmpty)
    }

    @Test("An orderly stop publishes `leave`, and nothing follows")
    func stop() {
        var harness = MachineHarness()
        harness.join(at: 10)
        harness.receive(.load(.of(), number: 1), at: 20)
        let load = RemoteLoadID(node: other, number: 1)
        #expect(
            harness.send(.stopped, at: 30) == [
                .toAll(.leave), .effect(.cancelLoad(load)), .effect(.ownersChanged(nil)),
            ])
        #expect(harness.machine.nextDeadline == nil)
        for event in [.clockAdvanced, .connected, .stopped, .changed(FeedChange("news"))]
            as [ClusterMachine.Event]
        {
            #expect(harness.send(event, at: 5000).isEmpty)
        }
        var unconnected = MachineHarness(connectedAt: nil)
        #expect(unconnected.send(.stopped).isEmpty)
    }

    @Test("The number of known nodes is limited, and lost nodes are forgotten first")
    func limit() {
        var harness = MachineHarness()
        let max = UInt64(Membership.nodesMax)
        for bits in 2...(max + 1) { harness.join(NodeID(bits: bits), at: 10) }
        #expect(harness.machine.nodes.count == Membership.nodesMax + 1)
        #expect(harness.join(NodeID(bits: max + 2), at: 20).isEmpty)
        #expect(harness.machine.counters.dropped == [.tooManyNodes: 1])
        harness.receive(.leave, from: NodeID(bits: 5), at: 30)
        #expect(harness.join(NodeID(bits: max + 2), at: 40).owners != nil)
        // A change of one more unknown node needs a place too.
        let change = BusMessage.Content.changed(FeedChange("news"), number: 1)
        #expect(harness.receive(change, from: NodeID(bits: 9999), at: 50).isEmpty)
        #expect(harness.machine.counters.dropped == [.tooManyNodes: 2])
    }

    @Test("Long names are shortened to what other nodes accept")
    func longNames() throws {
        let machine = ClusterMachine(
            own: own, name: String(repeating: "é", count: 100),
            version: String(repeating: "1", count: 100), seed: 1)
        let message = BusMessage(from: own, .state(machine.currentState))
        #expect(try BusMessage(reading: try #require(message.bytes)) == message)
        #expect(machine.currentState.name == String(repeating: "é", count: 64))
    }
}
