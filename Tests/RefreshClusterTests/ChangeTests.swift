import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Changes of feeds: their numbers, gaps, pace, and what a reconnection means. Source:
/// docs/cluster.md.
@Suite("Changes in a cluster")
struct ChangeTests {
    private let own = MachineHarness.own
    private let other = MachineHarness.other
    private let third = MachineHarness.third

    private func changed(
        _ number: UInt64, count: Int? = nil, feed: String = "news"
    ) -> BusMessage.Content {
        .changed(FeedChange(feed, count: NewerCount(count)), number: number)
    }

    /// A machine that started ten seconds ago and knows one other node.
    private func settled(changes: [String: UInt64] = [:]) -> MachineHarness {
        var harness = MachineHarness(connectedAt: -10_000)
        harness.join(changes: changes, at: 0)
        return harness
    }

    @Test("A change of this node is published with the next number of its feed")
    func numbers() {
        var harness = settled()
        #expect(
            harness.send(.changed(FeedChange("news", count: NewerCount(2))), at: 100)
                == [.toAll(changed(1, count: 2))])
        #expect(
            harness.send(.changed(FeedChange("mail")), at: 110) == [
                .toAll(changed(1, feed: "mail"))
            ])
        #expect(harness.send(.changed(FeedChange("news")), at: 200) == [.toAll(changed(2))])
        #expect(harness.send(.changed(FeedChange("secret")), at: 300).isEmpty)
        #expect(harness.state.changes == ["news": 2, "mail": 1])
    }

    @Test("A relayed change is published even if this node does not share the feed")
    func relayed() {
        var harness = settled()
        #expect(
            harness.send(.relayed(FeedChange("secret", count: NewerCount(2))), at: 100)
                == [.toAll(changed(1, count: 2, feed: "secret"))])
        // If the message is lost, the other nodes notice the change by the number.
        #expect(harness.state.changes == ["secret": 1])
    }

    @Test(
        "Changes of one feed are published at once, then at most every 100 ms, with summed counts")
    func pace() {
        var harness = settled()
        let change = ClusterMachine.Event.changed(FeedChange("news", count: NewerCount(1)))
        #expect(harness.send(change, at: 0) == [.toAll(changed(1, count: 1))])
        for ms in [10, 20, 30] as [Double] { #expect(harness.send(change, at: ms).isEmpty) }
        #expect(harness.state.changes == ["news": 1])
        #expect(harness.advance(to: 99).announcements.isEmpty)
        #expect(harness.advance(to: 100).announcements == [changed(2, count: 3)])
        #expect(harness.send(change, at: 150).isEmpty)
        #expect(harness.advance(to: 900).announcements == [changed(3, count: 1)])
    }

    @Test("A node that stops publishes the changes that wait, and then leaves")
    func stop() {
        var harness = settled()
        let change = ClusterMachine.Event.changed(FeedChange("news", count: NewerCount(1)))
        #expect(harness.send(change, at: 0) == [.toAll(changed(1, count: 1))])
        for ms in [10, 20] as [Double] { #expect(harness.send(change, at: ms).isEmpty) }
        #expect(
            harness.send(.stopped, at: 30).announcements == [changed(2, count: 2), .leave])
    }

    @Test("A thousand changes in a second are at most eleven messages, and the last is never lost")
    func crowd() {
        var harness = settled()
        var outcomes: [MachineHarness.Outcome] = []
        for ms in 0..<1000 {
            outcomes += harness.advance(to: Double(ms))
            outcomes += harness.send(.changed(FeedChange("news", count: NewerCount(1))))
        }
        outcomes += harness.advance(to: 1100)
        #expect(outcomes.announcements.count <= 11)
        var counts: [UInt32] = []
        for case .changed(let change, _) in outcomes.announcements {
            counts.append(change.count.value ?? 0)
        }
        #expect(counts.reduce(0, +) == 1000)
    }

    @Test("A change of another node is applied once, with its count")
    func once() {
        var harness = settled()
        let change = FeedChange("news", count: NewerCount(4))
        #expect(
            harness.receive(.changed(change, number: 1), at: 10) == [
                .effect(.feedChanged(change))
            ])
        #expect(harness.receive(.changed(change, number: 1), at: 20).isEmpty)
        #expect(harness.join(changes: ["news": 1], at: 30).isEmpty)
        #expect(harness.receive(changed(2), from: third, at: 40).feedChanges.count == 1)
        #expect(harness.receive(changed(1, feed: "foreign"), at: 50).isEmpty)
        #expect(harness.machine.counters.changesApplied == 2)
        #expect(harness.machine.counters.changesRepeated == 1)
    }

    @Test("A gap in the numbers, or a higher number in a state, is a change of unknown size")
    func gaps() {
        var harness = settled()
        #expect(harness.receive(changed(3, count: 1), at: 10).feedChanges == [FeedChange("news")])
        // Messages that come later than a following one are known.
        #expect(harness.receive(changed(2, count: 1), at: 20).isEmpty)
        #expect(
            harness.join(changes: ["news": 5, "mail": 1, "foreign": 1], at: 30).feedChanges
                == [FeedChange("mail"), FeedChange("news")])
        #expect(harness.receive(changed(5, count: 1), at: 40).isEmpty)
        #expect(
            harness.receive(changed(6, count: 1), at: 50).feedChanges
                == [FeedChange("news", count: NewerCount(1))])
        #expect(harness.machine.counters.changesMissed == 3)
    }

    @Test("The first state of a node is a change, unless this node has just started")
    func firstState() {
        var early = MachineHarness(connectedAt: 0)
        let first = early.join(changes: ["news": 5], at: 3499)
        #expect(first.feedChanges.isEmpty)
        // A load may have kept a page before the connection, and a snapshot may have brought a
        // session whose page is older.
        #expect(first.contains(.effect(.pagesOutdated(feed: "news"))))
        #expect(first.contains(.effect(.viewsOutdated(feed: "news"))))
        #expect(early.receive(changed(6), at: 3600).feedChanges.count == 1)
        var late = MachineHarness(connectedAt: 0)
        #expect(
            late.join(changes: ["news": 5], at: 3500).feedChanges == [FeedChange("news")])
    }

    @Test("A change that was reported without the bus is in the next state")
    func withoutBus() {
        var harness = settled()
        harness.send(.disconnected, at: 10)
        #expect(harness.send(.changed(FeedChange("news")), at: 20).isEmpty)
        #expect(harness.send(.changed(FeedChange("news")), at: 30).isEmpty)
        let outcomes = harness.send(.connected, at: 40)
        #expect(outcomes.first == .toAll(.state(harness.state)))
        #expect(harness.state.changes == ["news": 2])
    }

    @Test("After a reconnection, caches are outdated at once, and each feed changes within 2 s")
    func reconnection() {
        var harness = settled()
        harness.send(.disconnected, at: 100)
        let outcomes = harness.send(.connected, at: 1000)
        #expect(
            outcomes.dropFirst() == [
                .effect(.pagesOutdated(feed: "mail")), .effect(.pagesOutdated(feed: "news")),
            ])
        var times: [String: Double] = [:]
        for ms in 1000...3000 {
            for change in harness.advance(to: Double(ms)).feedChanges {
                #expect(change.count == .unknown)
                #expect(times.updateValue(Double(ms), forKey: change.feed) == nil)
            }
        }
        #expect(Set(times.keys) == ["news", "mail"])
        #expect(times["news"] != times["mail"])
        #expect(harness.advance(to: 9000).feedChanges.isEmpty)
        #expect(harness.machine.counters.changesOfReconnections == 2)
    }

    @Test("The times of the changes after a reconnection differ between nodes")
    func jitter() {
        var times: Set<Instant> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var machine = ClusterMachine(own: own, name: "n", version: "1", seed: seed)
            var effects: [ClusterMachine.Effect] = []
            machine.handle(.feeds(["news"]), at: .origin, into: &effects)
            machine.handle(.connected, at: .origin, into: &effects)
            machine.handle(.disconnected, at: .origin, into: &effects)
            machine.handle(.connected, at: .origin, into: &effects)
            if let time = machine.reconnectionChanges.nextDeadline { times.insert(time) }
        }
        #expect(times.count == 20)
        #expect(times.allSatisfy { .origin <= $0 && $0 < .ms(2000) })
        let latest = times.max() ?? .origin
        let earliest = times.min() ?? .origin
        #expect(latest.milliseconds(since: earliest) > 1000)
    }

    @Test("A number in a state after a reconnection is covered by the change that is due")
    func postponed() throws {
        var harness = settled()
        harness.send(.disconnected, at: 100)
        harness.send(.connected, at: 1000)
        #expect(harness.join(changes: ["news": 4], at: 1000).feedChanges.isEmpty)
        // A load names a change that the owner has postponed: the owner applies it first.
        let seen = [SeenChange(node: other, number: 4)]
        let outcomes = harness.receive(.load(.of(seen: seen), number: 1), at: 1000)
        #expect(outcomes.first == .effect(.feedChanged(FeedChange("news"))))
        #expect(harness.advance(to: 3000).feedChanges.count == 2)
        #expect(harness.join(changes: ["news": 4], at: 3100).feedChanges.isEmpty)
        #expect(harness.receive(changed(4), at: 3200).feedChanges.isEmpty)
        #expect(
            harness.join(changes: ["news": 5], at: 3300).feedChanges == [FeedChange("news")])
    }

    @Test("A change that a load has named to an owner is not merged with a later one")
    func namedChange() {
        var harness = settled()
        let change = ClusterMachine.Event.changed(FeedChange("news", count: NewerCount(1)))
        harness.send(change, at: 0)
        harness.send(change, at: 10)
        let first = harness.send(.ask(other, .of(1)), at: 20)
        #expect(first.seen == [SeenChange(node: own, number: 2)])
        #expect(harness.send(change, at: 30).isEmpty)
        #expect(harness.send(change, at: 40).isEmpty)
        let second = harness.send(.ask(other, .of(2)), at: 50)
        #expect(second.seen == [SeenChange(node: own, number: 3)])
        #expect(harness.advance(to: 100).announcements == [changed(3, count: 3)])
    }

    @Test("If the first connection comes when there are sessions, each feed counts as changed")
    func lateConnection() {
        var harness = MachineHarness(connectedAt: nil)
        harness.send(.census(sessions: 1, workers: []))
        let outdated = harness.send(.connected, at: 100)
        #expect(outdated.contains(.effect(.pagesOutdated(feed: "mail"))))
        #expect(outdated.contains(.effect(.pagesOutdated(feed: "news"))))
        let later = harness.advance(to: 2100)
        for feed in ["mail", "news"] {
            #expect(later.filter { $0 == .effect(.feedChanged(FeedChange(feed))) }.count == 1)
        }
    }

    @Test("A load names the last change of its feed at each node, however old it is")
    func seenChanges() {
        var harness = settled(changes: ["news": 7])
        // The first state at a time when this node had started long ago was a change.
        #expect(
            harness.send(.ask(other, .of(1)), at: 10).seen == [
                SeenChange(node: other, number: 7)
            ])
        harness.receive(changed(8), at: 3000)
        harness.receive(changed(1, feed: "mail"), at: 3000)
        harness.receive(changed(2), from: third, at: 3000)
        harness.send(.changed(FeedChange("news")), at: 3100)
        #expect(
            harness.send(.ask(other, .of(2)), at: 3200).seen == [
                SeenChange(node: own, number: 1), SeenChange(node: other, number: 8),
                SeenChange(node: third, number: 2),
            ])
        // An owner that was cut off from the third node keeps an older page for a long time.
        for ms in stride(from: 3300.0, through: 52_300, by: 1000) {
            harness.join(changes: ["news": 8], at: ms)
            if ms < 23_000 { harness.join(third, changes: ["news": 2], at: ms) }
        }
        #expect(
            harness.send(.ask(other, .of(3)), at: 52_200).seen == [
                SeenChange(node: own, number: 1), SeenChange(node: other, number: 8),
                SeenChange(node: third, number: 2),
            ])
        // A node that is gone is not named for ever.
        harness.join(changes: ["news": 8], at: 52_400)
        #expect(
            harness.send(.ask(other, .of(4)), at: 52_400).seen == [
                SeenChange(node: own, number: 1), SeenChange(node: other, number: 8),
            ])
    }

    @Test("Two nodes do not remind each other of the changes of one that is gone")
    func goneNode() {
        var harness = settled()
        harness.receive(changed(1), from: third, at: 0)
        harness.receive(.load(.of(seen: [SeenChange(node: third, number: 2)]), number: 1), at: 10)
        var changes = 0
        for second in 1...300 {
            let ms = Double(second) * 1000
            harness.join(at: ms)
            _ = harness.advance(to: ms)
            // The other node names the change for as long as this one does.
            let named = harness.send(.ask(other, .of(UInt64(second))), at: ms).seen
            let seen = (named ?? []).filter { $0.node == third }
            let outcomes = harness.receive(
                .load(.of(seen: seen), number: UInt64(second) + 1), at: ms)
            changes += outcomes.feedChanges.count
        }
        #expect(changes == 0)
    }

    @Test("An owner applies the changes that a load names and it does not know, once")
    func unknownSeen() {
        var harness = settled()
        let seen = [
            SeenChange(node: other, number: 2), SeenChange(node: third, number: 1),
            SeenChange(node: own, number: 99),
        ]
        let outcomes = harness.receive(.load(.of(seen: seen), number: 1), at: 10)
        #expect(outcomes.feedChanges == [FeedChange("news")])
        #expect(outcomes.first == .effect(.feedChanged(FeedChange("news"))))
        #expect(harness.receive(.load(.of(seen: seen), number: 2), at: 20).feedChanges.isEmpty)
        #expect(harness.receive(changed(2), at: 30).isEmpty)
        #expect(harness.receive(changed(1), from: third, at: 40).isEmpty)
    }

    @Test("After a partition, the state of a node shows the changes that were missed")
    func partition() {
        var harness = settled(changes: ["news": 3])
        _ = harness.advance(to: 20_000)
        #expect(
            harness.join(changes: ["news": 5], at: 20_000).feedChanges == [FeedChange("news")])
        _ = harness.advance(to: 40_000)
        #expect(harness.join(changes: ["news": 5], at: 40_000).feedChanges.isEmpty)
        // After a minute, the node is forgotten. Its changes then count again.
        _ = harness.advance(to: 102_000)
        #expect(
            harness.join(changes: ["news": 5], at: 102_000).feedChanges == [FeedChange("news")])
    }
}

extension [MachineHarness.Outcome] {
    /// The changes that the first load in the outcomes names; nil if there is no load.
    fileprivate var seen: [SeenChange]? {
        for case .to(_, .load(let load, _)) in self { return load.seen }
        return nil
    }
}
