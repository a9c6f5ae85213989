import Dispatch
import RefreshBroker
import RefreshCluster
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// Nodes of a cluster in one process, over a server of NATS.
@Suite(
    "Daemons as nodes of a cluster", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterTests {
    /// A service that answers each request with the number of the request.
    private static func service() throws -> LocalServer {
        let count = Atomic<Int>(0)
        return try LocalServer { exchange in
            let number = count.add(1, ordering: .relaxed).newValue
            exchange.reply(200, #"[{"id":\#(number)}]"#)
        }
    }

    /// `authority`: the file with the authority of the bus; nil without TLS.
    static func node(
        _ bus: NATSServer, _ service: LocalServer, feed: String = "", authority: String? = nil
    ) throws -> TestDaemon {
        let server = "\(authority == nil ? "nats" : "tls")://127.0.0.1:\(bus.port)"
        let tls = authority.map { ", tls: { ca: \($0) }" } ?? ""
        return try TestDaemon(
            """
            cluster: { name: test, servers: ["\(server)"]\(tls) }
            feeds: { news: { backend: http, url: "\(service.url)/news", paging: none, \(feed) } }
            """)
    }

    /// Waits until each node knows the others.
    static func join(_ nodes: [TestDaemon]) async {
        await eventually("all nodes are live") {
            nodes.allSatisfy { $0.server.parts.cluster?.status.nodes == nodes.count }
        }
    }

    /// A client that has attached a view of the feed.
    static func attached(to node: TestDaemon) async throws -> DialedClient {
        let client = try await node.greeted()
        client.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"news"}"#)
        #expect(await client.receive(within: .patient).text?.contains(#""attached""#) == true)
        return client
    }

    /// Refreshes the view, and returns the message with the items.
    static func refreshed(_ client: DialedClient, seq: Int) async -> String? {
        client.send(#"{"type":"refresh","seq":\#(seq),"view":"list"}"#)
        while let text = await client.receive(within: .patient).text {
            if text.contains(#""type":"items""#) { return text }
        }
        return nil
    }

    /// With TLS, the messages of the bus have a thread of their own.
    @Test(
        "Equal refreshes on three nodes cause one call, and all nodes receive its page",
        arguments: [false, true])
    func oneCall(isSecure: Bool) async throws {
        let certificates = try CertificateFolder()
        let bus = try NATSServer(isSecure ? NATSServer.tls(certificates.make("server")) : "")
        let service = try Self.service()
        let nodes = try (0..<3).map { _ in
            try Self.node(
                bus, service, feed: "coolDownMs: 600000",
                authority: isSecure ? certificates.authority : nil)
        }
        await Self.join(nodes)
        for node in nodes {
            let items = await Self.refreshed(try await Self.attached(to: node), seq: 2)
            #expect(items?.contains(#"[{"id":1}]"#) == true)
        }
        #expect(service.received.count == 1)
        // Exactly one of the nodes is the owner.
        let loads = nodes.map { $0.server.parts.cluster?.status.counters.loads ?? 0 }
        #expect(loads.filter { $0 > 0 }.count == 1 && loads.reduce(0, +) == 2)
    }

    @Test("A feed with `cluster: false` is called by each node")
    func ownFeeds() async throws {
        let (bus, service) = (try NATSServer(), try Self.service())
        let nodes = try (0..<3).map { _ in
            try Self.node(bus, service, feed: "coolDownMs: 600000, cluster: false")
        }
        await Self.join(nodes)
        for node in nodes {
            #expect(await Self.refreshed(try await Self.attached(to: node), seq: 2) != nil)
        }
        #expect(service.received.count == 3)
    }

    @Test("A change that is reported at one node reaches the views of all nodes once")
    func change() async throws {
        let (bus, service) = (try NATSServer(), try Self.service())
        let nodes = try (0..<3).map { _ in try Self.node(bus, service) }
        await Self.join(nodes)
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await Self.attached(to: node)) }
        nodes[1].server.parts.feeds.notices.reportFeedChange(FeedChange("news", count: .unknown))
        for client in clients {
            let update = await client.receive(within: .patient).text
            #expect(update?.contains(#""newer":true"#) == true)
            client.send(#"{"type":"ping","t":1}"#)
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
    }

    @Test("The changes that were reported just before a node stops reach the other nodes")
    func lastChanges() async throws {
        let (bus, service) = (try NATSServer(), try Self.service())
        let nodes = try (0..<2).map { _ in try Self.node(bus, service) }
        await Self.join(nodes)
        let server = nodes[0].server
        // The broker is busy until the node stops.
        let gate = DispatchSemaphore(value: 0)
        server.broker.enqueueBarrier { gate.wait() }
        // The first one is published at once. The others wait, and are merged.
        for _ in 0..<3 {
            server.parts.feeds.notices.reportFeedChange(FeedChange("news", count: .unknown))
        }
        DispatchQueue.global().async { server.stop() }
        await eventually("the node accepts no connections") {
            (try? PlainSocket(port: server.listeners[0].port)) == nil
        }
        gate.signal()
        await eventually("the node has left") {
            nodes[1].server.parts.cluster?.status.nodes == 1
        }
        #expect(nodes[1].server.parts.cluster?.status.counters.changesApplied == 2)
    }

    @Test("Without the bus, each node serves its sessions; later, the nodes find each other again")
    func busKilled() async throws {
        let (bus, service) = (try NATSServer(isStarted: false), try Self.service())
        let nodes = try (0..<2).map { _ in try Self.node(bus, service) }
        // The bus is not there when the nodes start.
        #expect(try await nodes[0].get("/readyz") == (200, "ready\ncluster: not connected\n"))
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await Self.attached(to: node)) }
        for client in clients { #expect(await Self.refreshed(client, seq: 2) != nil) }
        #expect(service.received.count == 2)

        try bus.start()
        await Self.join(nodes)
        #expect(try await nodes[0].get("/readyz") == (200, "ready\ncluster: connected\n"))
        #expect(try await nodes[1].get("/metrics").body.contains("refreshd_cluster_nodes 2\n"))

        bus.stop()
        await eventually("the loss of the bus is noticed") {
            nodes.allSatisfy { $0.server.parts.cluster?.status.isConnected == false }
        }
        for client in clients { #expect(await Self.refreshed(client, seq: 3) != nil) }
        try bus.start()
        await Self.join(nodes)
    }

    @Test("A node that stops is left out at once, and its requests have other owners")
    func leaving() async throws {
        let (bus, service) = (try NATSServer(), try Self.service())
        let nodes = try (0..<2).map { _ in try Self.node(bus, service) }
        await Self.join(nodes)
        nodes[1].server.stop()
        await eventually("the other node has noticed it") {
            nodes[0].server.parts.cluster?.status.nodes == 1
        }
        #expect(nodes[0].server.parts.cluster?.status.counters.nodesLeft == 1)
        #expect(await Self.refreshed(try await Self.attached(to: nodes[0]), seq: 2) != nil)
    }

    @Test("A server that is released without `stop` leaves the cluster too")
    func released() async throws {
        let (bus, service) = (try NATSServer(), try Self.service())
        let node = try Self.node(bus, service)
        do {
            var flags = ConfigurationFlags()
            flags.listeners = [try ListenAddress("127.0.0.1:0")]
            flags.demo = false
            let file = try ConfigurationFile(
                text: "cluster: { name: test, servers: [\(bus.url)] }", path: "refreshd.yaml")
            let server = try Server(Configuration(flags: flags, file: file), log: .silent)
            server.start()
            await eventually("the nodes find each other") {
                node.server.parts.cluster?.status.nodes == 2
            }
        }
        await eventually("the released one has left") {
            node.server.parts.cluster?.status.counters.nodesLeft == 1
        }
    }
}
