import RefreshBroker
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// What operators see of a cluster. Source: docs/cluster.md, "One view of the cluster".
@Suite(
    "One view of a cluster of daemons", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterViewTests {
    /// Starts nodes with a listener for operators, and waits until they know each other.
    private static func nodes(_ count: Int, _ bus: NATSServer) async throws -> [TestDaemon] {
        let nodes = try (0..<count).map { number in
            try TestDaemon.withOperators { file in
                let text = "cluster: { name: test, servers: [\(bus.url)], node: web-\(number) }"
                file.cluster = try ConfigurationFile(text: text, path: "test").cluster
            }
        }
        await eventually("all nodes are live") {
            nodes.allSatisfy { $0.server.parts.cluster?.status.nodes == count }
        }
        return nodes
    }

    private static func id(of node: TestDaemon) throws -> String {
        try #require(node.server.parts.cluster?.own.text)
    }

    @Test("Each node describes all nodes")
    func nodes() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(2, bus)
        for node in nodes {
            let answer = try await node.order("GET", "/v1/cluster")
            #expect(answer.status == 200)
            #expect(answer.body["cluster"]?.string == "test")
            #expect(answer.body["node"]?.string == (try Self.id(of: node)))
            #expect(answer.body["connected"]?.bool == true)
            let rows = try #require(answer.body["nodes"]?.array)
            #expect(rows.compactMap { $0["node"]?.string } == (try nodes.map(Self.id).sorted()))
            #expect(Set(rows.compactMap { $0["name"]?.string }) == ["web-0", "web-1"])
            #expect(rows.allSatisfy { $0["version"]?.string == DaemonVersion.current })
        }
    }

    @Test("Any node lists the sessions of all nodes, a page at a time")
    func sessions() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(3, bus)
        var held: [(name: String, node: String, client: DialedClient)] = []
        for node in nodes {
            for _ in 0..<2 {
                let (client, name) = try await node.named()
                held.append((name, try Self.id(of: node), client))
            }
        }
        held.sort { $0.name < $1.name }
        for node in nodes {
            let answer = try await node.order("GET", "/v1/sessions?cluster=true")
            #expect(answer.status == 200)
            let rows = try #require(answer.body["sessions"]?.array)
            #expect(rows.map { $0["session"]?.string } == held.map(\.name))
            #expect(rows.map { $0["node"]?.string } == held.map(\.node))
            #expect(rows.allSatisfy { $0["peer"]?.string == "127.0.0.1" })
            #expect(answer.body["missing"]?.array?.isEmpty == true)
            #expect(answer.body["next"] == nil)
        }
        let rest = try await nodes[0].order(
            "GET", "/v1/sessions?cluster=true&after=\(held[3].name)")
        #expect(
            rest.body["sessions"]?.array?.map { $0["session"]?.string }
                == held[4...].map(\.name))
        // A node alone lists its own sessions, without the members of a cluster.
        let own = try await nodes[0].order("GET", "/v1/sessions")
        #expect(own.body["sessions"]?.array?.count == 2 && own.body["missing"] == nil)
    }

    @Test("A watcher at any node receives the events of a session that another node holds")
    func watching() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(2, bus)
        let (client, name) = try await nodes[1].named()
        let (other, _) = try await nodes[1].named()
        let watcher = try await nodes[0].watching("?cluster=true&session=\(name)")
        // `watching` has come from one node; it comes from the other one too.
        #expect(try await watcher.next()["event"]?.string == "watching")
        for seq in 1...3 {
            other.send(#"{"type":"scroll","view":"none","seq":\#(seq)}"#)
            client.send(#"{"type":"scroll","view":"none","seq":\#(seq)}"#)
        }
        client.send(#"{"type":"bye"}"#)
        let events = try await watcher.events { $0["event"]?.string == "closed" }
        #expect(events.allSatisfy { $0["session"]?.string == name })
        #expect(events.filter { $0["event"]?.string == "fault" }.count == 3)
        // The watch of the other node ends with the watcher.
        let registry = nodes[1].server.parts.watcherRegistry
        #expect(registry.count == 1)
        watcher.client.client.terminate()
        await eventually("the watch has ended") { registry.count == 0 }
    }

    @Test("Without the bus, a node lists its own sessions and describes itself")
    func withoutBus() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(2, bus)
        let (client, name) = try await nodes[0].named()
        defer { client.terminate() }
        bus.stop()
        await eventually("the loss of the bus is noticed") {
            nodes[0].server.parts.cluster?.status.isConnected == false
        }
        let list = try await nodes[0].order("GET", "/v1/sessions?cluster=true")
        #expect(list.body["sessions"]?.array?.map { $0["session"]?.string } == [name])
        let view = try await nodes[0].order("GET", "/v1/cluster")
        #expect(view.body["connected"]?.bool == false)
        #expect(view.body["nodes"]?.array?.count == 1)
    }

    @Test("A daemon without a cluster answers requests about it with 404")
    func withoutCluster() async throws {
        let daemon = try TestDaemon.withOperators()
        for path in ["/v1/cluster", "/v1/sessions?cluster=true"] {
            let answer = try await daemon.order("GET", path)
            #expect(answer.status == 404)
            #expect(answer.body["code"]?.string == "noCluster")
        }
        await #expect(throws: DialFailure.refused(status: 404)) {
            _ = try await daemon.watching("?cluster=true")
        }
    }
}
