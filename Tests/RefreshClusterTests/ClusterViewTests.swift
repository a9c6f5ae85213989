import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Source: docs/cluster.md, "One view of the cluster".
@Suite("One view of the cluster")
struct ClusterViewTests {
    private static let (own, other, third) = (
        MachineHarness.own, MachineHarness.other, MachineHarness.third
    )

    private func page(_ names: [String], hasMore: Bool = false) -> SessionPage {
        SessionPage(
            names.map { ListedSession(name: $0, loop: 0, state: "open", ageMs: 5, views: 1) },
            hasMore: hasMore)
    }

    /// The parsed members of a list.
    private struct Listed {
        let sessions: [String]
        let nodes: [String]
        let missing: [String]
        let next: String?

        init(_ sessions: ClusterSessions) throws {
            let value = try JSONValue(
                parsing: sessions.json.span,
                limits: JSONLimits(depthMax: 8, stringBytesMax: 1000))
            let rows = value["sessions"]?.array ?? []
            self.sessions = rows.compactMap { $0["session"]?.string }
            nodes = rows.compactMap { $0["node"]?.string }
            missing = (value["missing"]?.array ?? []).compactMap { $0["node"]?.string }
            next = value["next"]?.string
        }
    }

    /// The list with which a request has ended; nil if it has not ended.
    private func ended(_ outcomes: [MachineHarness.Outcome]) throws -> Listed? {
        for case .effect(.listEnded(let sessions, _)) in outcomes {
            return try sessions.map { try Listed($0) }
        }
        return nil
    }

    // MARK: The nodes

    @Test("The description has all live nodes, their lag, and the loads between them and this node")
    func overview() throws {
        var harness = MachineHarness()
        harness.join(workers: ["news"])
        harness.receive(
            .state(NodeState(name: "web-3", version: "2.0.0", sessions: 9, loads: 4)),
            from: Self.third, at: 200)
        for id in UInt64(1)...3 { harness.send(.ask(id < 3 ? Self.other : Self.third, .of(id))) }
        harness.receive(.load(.of(), number: 1), from: Self.third)
        let json = harness.machine.overview(ofCluster: "production", at: .ms(612.9))
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"cluster":"production","node":"0000000000000001","connected":true,"nodes":[\
                {"node":"0000000000000001","name":"web-1","version":"1.0.0","sessions":0,\
                "workers":[],"ageMs":0,"loads":1,"asked":0,"performed":0},\
                {"node":"0000000000000002","name":"node 2","version":"1.0.0","sessions":3,\
                "workers":["news"],"ageMs":612,"loads":0,"asked":2,"performed":0},\
                {"node":"0000000000000003","name":"web-3","version":"2.0.0","sessions":9,\
                "workers":[],"ageMs":412,"loads":4,"asked":1,"performed":1}]}
                """)
        #expect(harness.state.loads == 1)
    }

    @Test("Without the bus, the description has this node only")
    func alone() throws {
        let harness = MachineHarness(connectedAt: nil)
        let json = harness.machine.overview(ofCluster: "c", at: .origin)
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"cluster":"c","node":"0000000000000001","connected":false,"nodes":[\
                {"node":"0000000000000001","name":"web-1","version":"1.0.0","sessions":0,\
                "workers":[],"ageMs":0,"loads":0,"asked":0,"performed":0}]}
                """)
    }

    // MARK: The requesting node

    @Test("A list ends when all live nodes have answered, with their sessions in order")
    func complete() throws {
        var harness = MachineHarness()
        harness.join()
        harness.join(Self.third)
        let sent = harness.send(.list(after: "b", id: 7), at: 100)
        #expect(sent == [.toAll(.list(after: "b", number: 1))])
        let first = harness.receive(.listed(page(["d", "f"]), number: 1))
        #expect(first.isEmpty)
        let outcomes = harness.receive(.listed(page(["a", "c", "e"]), number: 1), from: Self.third)
        let list = try #require(try ended(outcomes))
        // `a` does not sort after `b`: a node must not send it.
        #expect(list.sessions == ["c", "d", "e", "f"])
        #expect(list.nodes.first == Self.third.text && list.nodes.last == Self.other.text)
        #expect(list.missing.isEmpty && list.next == nil)
        #expect(harness.advance(to: 1200).allSatisfy { $0 == .toAll(.state(harness.state)) })
    }

    @Test("A node that does not answer in time is named as missing, and the list ends without it")
    func missing() throws {
        var harness = MachineHarness()
        harness.join()
        harness.join(Self.third)
        harness.send(.list(after: nil, id: 7), at: 100)
        harness.receive(.listed(page(["a"]), number: 1), at: 101)
        // A second answer, an answer to another list and the answer of an unknown node.
        for (number, node) in [(1, Self.other), (2, Self.third), (1, NodeID(bits: 9))]
            as [(UInt64, NodeID)]
        {
            #expect(harness.receive(.listed(page(["x"]), number: number), from: node).isEmpty)
        }
        #expect(try ended(harness.advance(to: 1099)) == nil)
        let list = try #require(try ended(harness.advance(to: 1100)))
        #expect(list.sessions == ["a"] && list.missing == [Self.third.text])
        #expect(harness.receive(.listed(page(["b"]), number: 1), from: Self.third).isEmpty)
    }

    @Test("Without another live node, the list ends at once; a lost bus ends open lists")
    func withoutNodes() throws {
        var harness = MachineHarness()
        #expect(try ended(harness.send(.list(after: nil, id: 1)))?.sessions == [])
        harness.join()
        harness.send(.list(after: nil, id: 2))
        let list = try #require(try ended(harness.send(.disconnected)))
        #expect(list.missing == [Self.other.text])
    }

    @Test("Above the limit of open lists, a request ends at once without a list")
    func tooManyLists() {
        var harness = MachineHarness()
        harness.join()
        for id in UInt64(1)...16 { #expect(harness.send(.list(after: nil, id: id)).count == 1) }
        #expect(
            harness.send(.list(after: nil, id: 17)) == [.effect(.listEnded(nil, id: 17))])
    }

    @Test("A long name is shortened on the bus, and the list has only sessions after the long name")
    func longName() throws {
        var harness = MachineHarness()
        harness.join()
        let long = String(repeating: "é", count: 40)
        let short = String(repeating: "é", count: 32)
        #expect(
            harness.send(.list(after: long, id: 1)) == [.toAll(.list(after: short, number: 1))])
        let outcomes = harness.receive(.listed(page([short, "ü"]), number: 1))
        #expect(try ended(outcomes)?.sessions == ["ü"])
    }

    // MARK: The answering node

    @Test("A node lists its sessions for a live node, at most four times a second for all nodes")
    func answers() {
        var harness = MachineHarness()
        harness.join()
        harness.join(Self.third)
        let unknown = NodeID(bits: 9)
        #expect(harness.receive(.list(after: nil, number: 1), from: unknown, at: 50).isEmpty)
        for number in UInt64(1)...4 {
            let node = number.isMultiple(of: 2) ? Self.other : Self.third
            let id = RemoteListID(node: node, number: number)
            #expect(
                harness.receive(.list(after: "a", number: number), from: node)
                    == [.effect(.listSessions(after: "a", id))])
        }
        #expect(harness.receive(.list(after: nil, number: 5), at: 999).isEmpty)
        #expect(harness.machine.counters.listsRefused == 1)
        #expect(harness.receive(.list(after: nil, number: 6), at: 1050).count > 0)
        let id = RemoteListID(node: Self.third, number: 1)
        let page = page(["b", "c"], hasMore: true)
        #expect(
            harness.send(.sessionsListed(page, id)) == [.to(Self.third, .listed(page, number: 1))])
    }

    @Test("Sessions that do not fit into a message are left for the next list")
    func largeList() throws {
        var harness = MachineHarness()
        harness.machine.payloadBytesMax = 15_000
        harness.join()
        let names = (1000..<2000).map { "session-\($0)" }
        let id = RemoteListID(node: Self.other, number: 1)
        let outcomes = harness.send(.sessionsListed(page(names), id))
        guard case .to(_, .listed(let sent, 1)) = outcomes.first else {
            Issue.record("no answer")
            return
        }
        #expect(sent.hasMore && sent.sessions.count == 125)
        #expect(sent.sessions.map(\.name) == Array(names.prefix(125)))
    }

    // MARK: Merging

    @Test("A list ends at the last session of a node that has more, and the next list continues")
    func pages() throws {
        var list = ClusterSessions(after: nil)
        list.add(page(["a", "d"], hasMore: true), of: Self.other)
        list.add(page(["b", "c", "e"]), of: Self.third)
        let first = try Listed(list)
        #expect(first.sessions == ["a", "b", "c", "d"] && first.next == "d")
        var next = ClusterSessions(after: first.next)
        next.add(page(["f"]), of: Self.other)
        next.add(page(["e"]), of: Self.third)
        let second = try Listed(next)
        #expect(second.sessions == ["e", "f"] && second.next == nil)
    }

    @Test("A list has at most 1,000 sessions, and all nodes that hold the last one")
    func longList() throws {
        let names = (1000..<2000).map { String($0) }
        var list = ClusterSessions(after: nil)
        list.add(page(names), of: Self.other)
        #expect(try Listed(list).next == nil)
        list.add(page(["1500", "1999"]), of: Self.third)
        let long = try Listed(list)
        // 1500 is held twice, so 1998 is the thousandth.
        #expect(long.sessions.count == 1000 && long.next == "1998")
        var twins = ClusterSessions(after: nil)
        twins.add(page(names), of: Self.other)
        twins.add(page(["1999", "2000"]), of: Self.third)
        #expect(try Listed(twins).sessions.count == 1001)
        #expect(try Listed(twins).next == "1999")
    }

    @Test("Pages of all nodes, read one after another, have each session of each node once")
    func everySession() throws {
        for seed in UInt64(1)...20 {
            var random = SeededRandom("pages of sessions", seed: seed)
            let nodes = [Self.own, Self.other, Self.third]
            var held: [NodeID: [String]] = [:]
            for node in nodes {
                held[node] = Set((0..<40).map { _ in String(100 + random.below(100)) }).sorted()
            }
            var seen: [String] = []
            var after: String?
            repeat {
                var list = ClusterSessions(after: after)
                for node in nodes {
                    let rest = (held[node] ?? []).filter { name in after.map { name > $0 } ?? true }
                    let most = 1 + random.below(9)
                    list.add(page(Array(rest.prefix(most)), hasMore: rest.count > most), of: node)
                }
                let listed = try Listed(list)
                seen += zip(listed.sessions, listed.nodes).map { "\($0) \($1)" }
                try #require(listed.next == nil || listed.next != after, "seed \(seed)")
                after = listed.next
            } while after != nil
            let all = held.flatMap { node, names in names.map { "\($0) \(node.text)" } }
            #expect(seen.sorted() == all.sorted() && seen.count == all.count, "seed \(seed)")
        }
    }
}
