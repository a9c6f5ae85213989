import Dispatch
import RefreshCluster
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// What the owner's call of a backend means for the sessions of another node. Source:
/// docs/cluster.md, "How a request finds its owner".
@Suite(
    "The calls of an owner for another node", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterOwnerTests {
    /// The node that has asked the other one for a load.
    private static func requestingNode(_ nodes: [TestDaemon]) async throws -> Int {
        var index: Int?
        await eventually("one node has asked the other one") {
            index = nodes.firstIndex { $0.server.parts.cluster?.status.openAsks == 1 }
            return index != nil
        }
        return try #require(index)
    }

    @Test("The retry of the owner's call reaches the session of another node, with one key")
    func retry() async throws {
        let (bus, gate) = (try NATSServer(), DispatchSemaphore(value: 0))
        let count = Atomic<Int>(0)
        // The first call fails, and the second one is answered, each when the gate lets it.
        let service = try LocalServer { exchange in
            let isFirst = count.add(1, ordering: .relaxed).newValue == 1
            gate.wait()
            isFirst ? exchange.reply(500, "") : exchange.reply(200, #"[{"id":1}]"#)
        }
        let nodes = try (0..<2).map { _ in
            try ClusterTests.node(bus, service, feed: "retry: { attempts: 2, baseMs: 1 }")
        }
        await ClusterTests.join(nodes)
        var clients: [DialedClient] = []
        for node in nodes {
            let client = try await ClusterTests.attached(to: node)
            client.send(#"{"type":"refresh","seq":2,"view":"list"}"#)
            clients.append(client)
        }
        let client = clients[try await Self.requestingNode(nodes)]
        gate.signal()
        var text = ""
        while !text.contains(#""phase":"retrying""#) {
            text = try #require(await client.receive(within: .patient).text)
        }
        #expect(text.contains(#""attempt":2"#) && text.contains(#""code":"backendFailed""#))
        gate.signal()
        while !text.contains(#""type":"items""#) {
            text = try #require(await client.receive(within: .patient).text)
        }
        #expect(text.contains(#"[{"id":1}]"#))
        let keys = service.received.map { LocalServer.header("Idempotency-Key", in: $0) }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    /// A client of this subject that has attached a view of the feed.
    private static func attached(
        to node: TestDaemon, as subject: String
    ) async throws -> DialedClient {
        let client = try await node.connect()
        client.send(
            #"[{"type":"hello","protocol":1,"token":"\#(subject)"},"#
                + #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"news"}]"#)
        var text = ""
        while !text.contains(#""type":"attached""#) {
            text = try #require(await client.receive(within: .patient).text)
        }
        return client
    }

    @Test("Nodes share the answers for one subject, and give none of them to another subject")
    func subjects() async throws {
        let bus = try NATSServer()
        let service = try LocalServer { exchange in
            exchange.reply(200, #"["\#(exchange.target)"]"#)
        }
        let tokens = ["anna", "bert"].map {
            "{ name: \($0), sha256: \(ServerAuthTests.hash($0)), may: [connect] }"
        }
        let nodes = try (0..<2).map { _ in
            try TestDaemon(
                """
                cluster: { name: test, servers: [\(bus.url)] }
                auth: { mode: token }
                tokens: [\(tokens.joined(separator: ", "))]
                feeds:
                  news:
                    backend: http
                    url: "\(service.url)/{subject}"
                    paging: none
                    coolDownMs: 600000
                """)
        }
        await ClusterTests.join(nodes)
        for subject in ["anna", "bert", "anna"] {
            for node in nodes {
                let client = try await Self.attached(to: node, as: subject)
                let items = await ClusterTests.refreshed(client, seq: 2)
                #expect(items?.contains(#""items":["/\#(subject)"]"#) == true)
            }
        }
        // One call for each subject: one of the two nodes has asked the other one.
        let targets = service.received.map { $0.split(separator: " ")[1] }
        #expect(targets.sorted() == ["/anna", "/bert"])
        let asked = nodes.map { $0.server.parts.cluster?.status.counters.loads ?? 0 }
        #expect(asked.reduce(0, +) == 2)
    }
}
