import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Source: docs/cluster.md, "Limits of clients".
@Suite("Counts of clients in a cluster")
struct CountTests {
    private typealias Outcome = MachineHarness.Outcome

    private let other = MachineHarness.other
    private let third = MachineHarness.third
    private let anna = CountKey(bits: 0xA)
    private let office = CountKey(bits: 0xB)

    private func counts(
        sessions: [CountKey: Int] = [:], connections: [CountKey: Int] = [:],
        handshakes: [CountKey: Int] = [:]
    ) -> NodeCounts {
        var counts = NodeCounts()
        counts.sessions = sessions
        counts.connections = connections
        counts.handshakes = handshakes
        return counts
    }

    /// The last counts of the other nodes.
    private func reported(_ outcomes: [Outcome]) -> [ClusterCounts] {
        outcomes.compactMap { outcome in
            if case .effect(.countsChanged(let counts)) = outcome { counts } else { nil }
        }
    }

    @Test("Counts are published if they have changed, after handshakes, and otherwise every 5 s")
    func pace() {
        var harness = MachineHarness()
        #expect(harness.send(.counts(NodeCounts()), at: 100).announcements == [])
        let two = counts(sessions: [anna: 2])
        #expect(harness.send(.counts(two), at: 1100).announcements == [.counts(two, number: 1)])
        #expect(harness.send(.counts(two), at: 2100).announcements == [])
        var busy = two
        busy.handshakes = [office: 9]
        #expect(harness.send(.counts(busy), at: 3100).announcements == [.counts(busy, number: 2)])
        #expect(harness.send(.counts(two), at: 4100).announcements == [])
        #expect(harness.send(.counts(two), at: 8099).announcements == [])
        #expect(harness.send(.counts(two), at: 8100).announcements == [.counts(two, number: 3)])
        // The other nodes learn at once that nothing is left, and nothing is repeated.
        let none = NodeCounts()
        #expect(harness.send(.counts(none), at: 9100).announcements == [.counts(none, number: 4)])
        #expect(harness.send(.counts(none), at: 30_000).announcements == [])
        #expect(harness.machine.counters.published[.counts] == 4)
    }

    @Test("Counts are repeated for a node that has joined, and after a reconnection")
    func repetition() {
        var harness = MachineHarness()
        let two = counts(sessions: [anna: 2])
        harness.send(.counts(two), at: 100)
        harness.join(at: 200)
        #expect(harness.send(.counts(two), at: 1100).announcements == [.counts(two, number: 2)])
        #expect(harness.send(.counts(two), at: 2100).announcements == [])
        harness.send(.disconnected, at: 2200)
        #expect(harness.send(.counts(counts(sessions: [anna: 5])), at: 3100).announcements == [])
        harness.send(.connected, at: 3200)
        #expect(harness.send(.counts(two), at: 4100).announcements == [.counts(two, number: 3)])
    }

    @Test("The counts of the other live nodes are added, and new ones replace those of their node")
    func sums() {
        var harness = MachineHarness()
        harness.join(other, at: 10)
        harness.join(third, at: 10)
        harness.receive(.counts(counts(sessions: [anna: 2], connections: [office: 7]), number: 5))
        harness.receive(.counts(counts(sessions: [anna: 1]), number: 1), from: third)
        var sums = reported(harness.send(.counts(NodeCounts()), at: 1000))
        #expect(sums.map(\.others) == [counts(sessions: [anna: 3], connections: [office: 7])])
        #expect(sums.map(\.nodes) == [3] && sums.map(\.feeds) == [["news", "mail"]])
        // A message that arrives twice or late has no effect.
        harness.receive(.counts(counts(sessions: [anna: 2]), number: 5))
        harness.receive(.counts(counts(sessions: [anna: 9]), number: 4))
        #expect(reported(harness.send(.counts(NodeCounts()), at: 2000)) == [])
        #expect(harness.machine.counters.countsIgnored == 2)
        harness.receive(.counts(counts(sessions: [anna: 4]), number: 6))
        sums = reported(harness.send(.counts(NodeCounts()), at: 3000))
        #expect(sums.map(\.others) == [counts(sessions: [anna: 5])])
        #expect(harness.machine.counts == sums[0])
    }

    @Test("The handshakes of other nodes are reported once each")
    func handshakes() {
        var harness = MachineHarness()
        harness.join(at: 600)
        let nine = counts(handshakes: [office: 9])
        for number in [1, 1, 2] as [UInt64] {
            harness.receive(.counts(nine, number: number))
        }
        #expect(
            reported(harness.send(.counts(NodeCounts()), at: 1000)).map(\.others.handshakes)
                == [[office: 18]])
        // As many handshakes as before are further ones.
        harness.receive(.counts(counts(handshakes: [office: 18]), number: 3))
        #expect(
            reported(harness.send(.counts(NodeCounts()), at: 2000)).map(\.others.handshakes)
                == [[office: 18]])
        #expect(
            reported(harness.send(.counts(NodeCounts()), at: 3000)).map(\.others) == [NodeCounts()])
        #expect(reported(harness.send(.counts(NodeCounts()), at: 3400)) == [])
    }

    @Test("A node that is lost, has left, or repeats nothing for 12 s is not counted any more")
    func expiry() {
        var harness = MachineHarness()
        harness.join(other, at: 10)
        harness.join(third, at: 10)
        let two = counts(sessions: [anna: 2])
        harness.receive(.counts(two, number: 1))
        harness.receive(.counts(two, number: 1), from: third)
        #expect(reported(harness.send(.counts(NodeCounts()), at: 1000)).count == 1)
        harness.receive(.leave, from: third, at: 1100)
        var sums = reported(harness.send(.counts(NodeCounts()), at: 2000))
        #expect(sums.map(\.others) == [two] && sums.map(\.nodes) == [2])
        sums = reported(harness.send(.counts(NodeCounts()), at: 3600))
        #expect(sums.map(\.others) == [NodeCounts()] && sums.map(\.nodes) == [1])
        // The counts of a node that is not live are ignored.
        harness.receive(.counts(two, number: 2))
        #expect(harness.machine.counters.countsIgnored == 1)
        harness.join(other, at: 4000)
        harness.receive(.counts(two, number: 3))
        #expect(harness.send(.counts(NodeCounts()), at: 4000).count == 1)
        for second in 5...15 { harness.join(other, at: Double(second) * 1000) }
        #expect(reported(harness.send(.counts(NodeCounts()), at: 15_999)) == [])
        sums = reported(harness.send(.counts(NodeCounts()), at: 16_000))
        #expect(sums.map(\.others) == [NodeCounts()] && sums.map(\.nodes) == [2])
    }

    @Test("Without the bus a node takes its share by the last known number of nodes")
    func share() {
        var harness = MachineHarness()
        harness.send(.census(sessions: 6, workers: []))
        harness.join(other, at: 10)
        harness.join(third, at: 10)
        harness.send(.counts(NodeCounts()), at: 1000)
        // The first 3.5 s after the start have no earlier share.
        #expect(harness.machine.counts.divisor == 1 && harness.machine.counts.refreshShare == 1)
        harness.join(other, at: 3400)
        harness.join(third, at: 3400)
        harness.send(.counts(NodeCounts()), at: 3500)
        #expect(harness.machine.counts.divisor == 1)
        #expect(harness.machine.counts.refreshShare == 0.5)

        // The nodes fall silent, are lost, and only then the loss of the bus is noticed.
        harness.send(.clockAdvanced, at: 8000)
        #expect(harness.machine.nodes.count == 1)
        harness.send(.disconnected, at: 9000)
        harness.send(.counts(NodeCounts()), at: 9001)
        #expect(harness.machine.counts.divisor == 3)
        #expect([0, 1, 2, 3, 4, 256].map(harness.machine.counts.share) == [0, 1, 1, 1, 2, 86])

        // The share stays until the other nodes have had time to publish their counts. A further
        // loss in this time does not make it larger.
        harness.send(.connected, at: 20_000)
        harness.send(.disconnected, at: 21_000)
        harness.send(.connected, at: 22_000)
        harness.send(.counts(NodeCounts()), at: 25_499)
        #expect(harness.machine.counts.divisor == 3)
        harness.send(.counts(NodeCounts()), at: 25_500)
        #expect(harness.machine.counts.divisor == 1 && harness.machine.counts.refreshShare == 1)
    }

    @Test("A node that has left is not among the last known nodes")
    func shareAfterLeave() {
        var harness = MachineHarness()
        harness.join(other, at: 10)
        harness.join(third, at: 10)
        harness.receive(.leave, from: third, at: 20)
        harness.send(.disconnected, at: 30)
        harness.send(.counts(NodeCounts()), at: 40)
        #expect(harness.machine.counts.divisor == 2)
    }

    @Test("The share of refreshes is above 0 and at most 1, whatever other nodes state")
    func refreshShare() {
        var harness = MachineHarness()
        for bits in 2...257 as ClosedRange<UInt64> {
            let state = NodeState.of(NodeID(bits: bits), sessions: BusMessageLimits.integerMax)
            harness.receive(.state(state), from: NodeID(bits: bits), at: 3000)
        }
        harness.send(.counts(NodeCounts()), at: 3600)
        #expect(harness.machine.counts.nodes == 257)
        #expect(0 < harness.machine.counts.refreshShare)
        #expect(harness.machine.counts.refreshShare < 1e-9)
    }

    @Test("Only counts that matter for the limit are published, and at most 512 of them")
    func selection() {
        func keys(_ counts: [Int: Int], limit: Int, nodes: Int) -> [Int] {
            let selected = CountSelection.select(counts, limit: limit, nodes: nodes) {
                $0 == 13 ? nil : CountKey(bits: UInt64($0))
            }
            #expect(selected.allSatisfy { counts[Int($0.key.bits)] == $0.value })
            return selected.keys.map { Int($0.bits) }.sorted()
        }
        let some = [1: 1, 7: 7, 8: 8, 13: 100, 16: 16]
        #expect(keys(some, limit: 256, nodes: 1) == [16])
        #expect(keys(some, limit: 256, nodes: 2) == [16])
        #expect(keys(some, limit: 256, nodes: 3) == [8, 16])
        #expect(keys(some, limit: 4, nodes: 3) == [1, 7, 8, 16])
        #expect(keys(some, limit: 0, nodes: 3) == [])
        let many = Dictionary(uniqueKeysWithValues: (1...2000).map { ($0, $0) })
        #expect(keys(many, limit: 1, nodes: 3) == Array(1489...2000))
    }

    @Test("The largest message has less than 64 KiB, and no larger list is accepted")
    func size() throws {
        let many = Dictionary(
            uniqueKeysWithValues: (1...600 as ClosedRange<UInt64>).map {
                (CountKey(bits: .max - $0), 2_000_000)
            })
        let content = BusMessage.Content.counts(
            counts(sessions: many, connections: many, handshakes: many), number: 1)
        let bytes = try #require(BusMessage(from: other, content).bytes)
        #expect(bytes.count < 65_536)
        guard case .counts(let read, _) = try BusMessage(reading: bytes).content else {
            Issue.record("not counts")
            return
        }
        #expect(read.sessions.count == 512 && read.connections.count == 512)
        #expect(Set(read.handshakes.values) == [1_000_000])
    }

    @Test(
        "A message with a wrong list of counts is dropped",
        arguments: [
            #"[["000000000000000A",1]]"#, #"[["0a",1]]"#, #"[["000000000000000a",0]]"#,
            #"[["000000000000000a",1000001]]"#, #"[["000000000000000a",1.5]]"#,
            #"[["000000000000000a"]]"#, #"[["000000000000000a",1,1]]"#, #"{"a":1}"#, "[7]",
            #"[["000000000000000a",1],["000000000000000a",2]]"#,
            "[" + Array(repeating: #"["000000000000000a",1]"#, count: 513).joined(separator: ",")
                + "]",
        ])
    func wrongMembers(list: String) {
        for name in ["sessions", "connections", "handshakes"] {
            let text =
                #"{"v":1,"type":"counts","from":"000000000000000a","number":1,"\#(name)":\#(list)}"#
            #expect(throws: BusMessageDrop.member) { try BusMessage(reading: Array(text.utf8)) }
        }
    }

    @Test("The handshakes of a flood of counts use limited memory")
    func flood() {
        var gossip = CountGossip()
        for number in 1...300 as ClosedRange<UInt64> {
            let keys = (0..<512 as Range<UInt64>).map { CountKey(bits: number << 10 | $0) }
            let many = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1_000_000) })
            let isNew = gossip.receive(
                counts(handshakes: many), number: number, from: other, at: .origin)
            #expect(isNew)
        }
        _ = gossip.receive(
            counts(handshakes: [CountKey(bits: 1 << 10): 1_000_000]), number: 301, from: other,
            at: .origin)
        let handshakes = gossip.removeHandshakes()
        #expect(handshakes.count == CountGossip.handshakeKeysMax)
        #expect(handshakes[CountKey(bits: 1 << 10)] == 1_000_000)
    }

    @Test("Nodes of one cluster compute the same keys, and nodes of another one do not")
    func keys() {
        let keys = CountKeys(cluster: "production")
        let foreign = CountKeys(cluster: "staging")
        // The values are part of the bus protocol.
        #expect(keys.key(ofSubject: "anna") == CountKey(bits: 0x7875_BD44_DA47_9FAD))
        #expect(
            keys.key(ofAddress: 0, 0xFFFF_CB00_7107) == CountKey(bits: 0x6A93_C03F_DD79_A73C))
        #expect(keys.key(ofSubject: "anna") != foreign.key(ofSubject: "anna"))
        #expect(keys.key(ofSubject: "anna") != keys.key(ofSubject: "Anna"))
    }

    @Test("The sessions of a subject are counted up to the limit, and a session is counted once")
    func subjects() {
        var sessions = SubjectSessions<Int>()
        let added = [1, 1, 2, 3].map { sessions.add($0, of: "anna", countMax: 2) }
        #expect(added == [true, true, true, false])
        // Subjects are compared byte by byte.
        let bytewise = [7: "\u{E9}", 8: "e\u{301}"].map {
            sessions.add($0.key, of: $0.value, countMax: 1)
        }
        #expect(bytewise == [true, true])
        #expect(sessions.count(of: "anna") == 2 && sessions.subject(of: 2) == "anna")
        let keys = CountKeys(cluster: "production")
        #expect(
            sessions.published(limit: 20, nodes: 2, by: keys)
                == [keys.key(ofSubject: "anna"): 2])
        for session in [3, 2, 2] { sessions.remove(session) }
        #expect(sessions.count(of: "anna") == 1 && sessions.subject(of: 2) == nil)
        let again = sessions.add(3, of: "anna", countMax: 2)
        #expect(again)
    }
}
