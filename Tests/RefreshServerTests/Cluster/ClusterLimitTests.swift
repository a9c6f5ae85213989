import RefreshCluster
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Limits of clients over the nodes of a cluster, with a server of NATS. Source: docs/cluster.md,
/// "Limits of clients".
@Suite(
    "Limits of clients in a cluster", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterLimitTests {
    private static let keys = CountKeys(cluster: "test")

    private static func node(_ bus: NATSServer, _ yaml: String) throws -> TestDaemon {
        try TestDaemon("cluster: { name: test, servers: [\(bus.url)] }\n\(yaml)", loops: 1)
    }

    private static func counts(of node: TestDaemon) -> ClusterCounts {
        node.server.parts.cluster?.status.counts ?? ClusterCounts()
    }

    /// Waits until the nodes know each other and apply the whole limits.
    private static func join(_ nodes: [TestDaemon]) async {
        await eventually("all nodes are live") {
            nodes.allSatisfy { counts(of: $0).nodes == nodes.count && counts(of: $0).divisor == 1 }
        }
    }

    /// Waits until the nodes take their shares, because the bus is lost.
    private static func lose(_ bus: NATSServer, _ nodes: [TestDaemon]) async {
        bus.stop()
        await eventually("each node takes its share") {
            nodes.allSatisfy { counts(of: $0).divisor == nodes.count }
        }
    }

    /// Connects as a client with this address behind a proxy. Returns nil if it is refused.
    private static func connect(_ node: TestDaemon, _ address: String) throws -> PlainSocket? {
        let socket = try PlainSocket(port: node.port)
        socket.send(ShareTests.upgrade(node.port, "X-Forwarded-For: \(address)\r\n"))
        let head = socket.readHead()
        if head.hasPrefix("HTTP/1.1 101 ") { return socket }
        #expect(head.hasPrefix("HTTP/1.1 503 "), "\(head)")
        return nil
    }

    @Test("An address with as many connections as permitted is refused at the other nodes too")
    func addresses() async throws {
        let bus = try NATSServer()
        let yaml = """
            proxies: [127.0.0.1]
            auth: { mode: none }
            limits: { connectionsPerAddressMax: 4 }
            """
        let nodes = try (0..<2).map { _ in try Self.node(bus, yaml) }
        await Self.join(nodes)
        let address = "203.0.113.9"
        let network = try #require(PeerNetwork(address))
        let key = Self.keys.key(ofAddress: network.halves.high, network.halves.low)
        func others(_ node: TestDaemon) -> Int {
            Self.counts(of: node).others.connections[key] ?? 0
        }
        var first = try (0..<3).map { _ in try Self.connect(nodes[0], address) }
        #expect(first.allSatisfy { $0 != nil })
        await eventually("the other node knows the count") { others(nodes[1]) == 3 }
        let second = try Self.connect(nodes[1], address)
        #expect(second != nil)
        #expect(try Self.connect(nodes[1], address) == nil)
        await eventually("the other node knows the count") { others(nodes[0]) == 1 }
        #expect(try Self.connect(nodes[0], address) == nil)
        #expect(try Self.connect(nodes[1], "203.0.113.10") != nil)
        // A connection that ends makes room at both nodes.
        first[0] = nil
        await eventually("the other node knows the count") { others(nodes[1]) == 2 }
        #expect(try Self.connect(nodes[1], address) != nil)

        await Self.lose(bus, nodes)
        for node in nodes {
            let sockets = try (0..<3).map { _ in try Self.connect(node, "203.0.113.77") }
            #expect(sockets.map { $0 != nil } == [true, true, false])
        }
        try bus.start()
        await Self.join(nodes)
        let sockets = try (0..<3).map { _ in try Self.connect(nodes[0], "203.0.113.78") }
        #expect(sockets.allSatisfy { $0 != nil })
    }

    @Test("The handshakes of an address at two nodes are subtracted from its allowance at a third")
    func handshakes() async throws {
        let bus = try NATSServer()
        let yaml = """
            proxies: [127.0.0.1]
            auth: { mode: none }
            limits: { handshakesPerAddressMax: 1, connectionsPerAddressMax: 16 }
            """
        let nodes = try (0..<3).map { _ in try Self.node(bus, yaml) }
        await Self.join(nodes)
        // An allowance of its own would be two at once. Two nodes have accepted four, so the third
        // one refuses the address for three seconds. On a busy machine this time can pass, so
        // further addresses are tried.
        var isRefused = false
        for number in 1...100 where !isRefused {
            let address = "203.0.113.\(number)"
            var accepted: [PlainSocket] = []
            for node in nodes.dropLast() {
                for _ in 0..<2 { try Self.connect(node, address).map { accepted.append($0) } }
            }
            #expect(accepted.count == 4)
            let network = try #require(PeerNetwork(address))
            let key = Self.keys.key(ofAddress: network.halves.high, network.halves.low)
            // The message with the connections has the handshakes too.
            await eventually("the third node knows the counts") {
                Self.counts(of: nodes[2]).others.connections[key] == 4
            }
            isRefused = try Self.connect(nodes[2], address) == nil
        }
        #expect(isRefused)
        #expect(try Self.connect(nodes[2], "203.0.113.200") != nil)
    }

    /// Opens a session with the token, and returns the first answer.
    private static func greet(
        _ node: TestDaemon, _ token: String
    ) throws -> (socket: PlainSocket, answer: String) {
        let socket = try #require(try connect(node, "203.0.113.1"))
        socket.sendText(#"{"type":"hello","protocol":1,"token":"\#(token)"}"#)
        return (socket, socket.readText() ?? "")
    }

    private static func isWelcome(_ greeting: (socket: PlainSocket, answer: String)) -> Bool {
        greeting.answer.contains(#""type":"welcome""#)
    }

    @Test("A subject with as many sessions as permitted is refused at the other nodes too")
    func subjects() async throws {
        let bus = try NATSServer()
        let tokens = ["anna", "bert", "carl"].map {
            "{ name: \($0), sha256: \(ServerAuthTests.hash($0)), may: [connect, measure] }"
        }
        let yaml = """
            proxies: [127.0.0.1]
            auth: { mode: token }
            tokens: [\(tokens.joined(separator: ", "))]
            limits: { sessionsPerSubjectMax: 2 }
            """
        let nodes = try (0..<2).map { _ in try Self.node(bus, yaml) }
        await Self.join(nodes)
        let anna = Self.keys.key(ofSubject: "anna")
        var first = try (0..<2).map { _ in try Self.greet(nodes[0], "anna") }
        #expect(first.allSatisfy(Self.isWelcome))
        func others() -> Int { Self.counts(of: nodes[1]).others.sessions[anna] ?? 0 }
        await eventually("the other node knows the count") { others() == 2 }
        let refused = try Self.greet(nodes[1], "anna")
        #expect(refused.answer.contains(#""code":"tooManySessions""#))
        // A session that does not exist cannot be resumed, and a new one is not permitted.
        let socket = try #require(try Self.connect(nodes[1], "203.0.113.1"))
        let resume = #"{"session":"0000000000000000","token":"AAAAAAAAAAAAAAAAAAAAAA"}"#
        socket.sendText(#"{"type":"hello","protocol":1,"token":"anna","resume":\#(resume)}"#)
        #expect(socket.readText()?.contains(#""code":"tooManySessions""#) == true)
        #expect(Self.isWelcome(try Self.greet(nodes[1], "bert")))
        let page = try PlainSocket(port: nodes[1].port)
        page.send(
            "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(nodes[1].port)\r\n"
                + "Authorization: Bearer bert\r\n\r\n")
        let body = page.readBody()
        #expect(body.contains("\nrefreshd_cluster_limits_share 1.0\n"))
        #expect(body.contains("\nrefreshd_cluster_counted_keys{kind=\"sessions\"} 1\n"))
        first.removeLast()
        await eventually("the other node knows the count") { others() == 1 }
        #expect(Self.isWelcome(try Self.greet(nodes[1], "anna")))

        await Self.lose(bus, nodes)
        let carl = try [nodes[0], nodes[0], nodes[1], nodes[1]].map { try Self.greet($0, "carl") }
        #expect(carl.map(Self.isWelcome) == [true, false, true, false])
    }
}
