import BusTesting
import MessageBus
import RefreshCluster
import RefreshProtocol
import RefreshSession
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// One holder of a session, over a server of NATS with JetStream. Source: docs/cluster.md.
@Suite(
    "Daemons that fence sessions", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterFencingTests {
    /// Two nodes with one key, and their bus.
    private struct Nodes {
        let bus: NATSServer
        let nodes: [TestDaemon]
        private let files: [TemporaryFile]

        init(hasJetStream: Bool = true) async throws {
            let key = try TemporaryFile("seal.key", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
            let folder = try TemporaryFile("jetstream")
            files = [key, folder]
            bus = try NATSServer(hasJetStream ? "jetstream { store_dir: \"\(folder.path)\" }" : "")
            nodes = try [0, 1].map { [bus] _ in
                try TestDaemon(
                    """
                    cluster: { name: test, servers: [\(bus.url)] }
                    resume: { keys: [ { id: k1, file: \(key.path) } ] }
                    """)
            }
            await join(isFencing: hasJetStream)
        }

        /// Waits until each node knows the other one, and can use the store.
        func join(isFencing: Bool = true) async {
            await eventually("the nodes are ready") {
                nodes.allSatisfy { node in
                    let status = node.server.parts.cluster?.status
                    return status?.nodes == 2 && status?.isFencing == isFencing
                }
            }
        }

        /// Waits until a node has counted one claim with this verdict. A session is rebuilt just
        /// before its claim is counted.
        func counts(_ verdict: ClaimVerdict, at node: Int) async {
            await eventually("the claim is counted") {
                nodes[node].server.parts.cluster?.status.fenceCounters.claims[verdict] == 1
            }
        }
    }

    /// What a client needs to resume its session.
    private struct Ticket {
        var session = ""
        var token = ""
        var snapshot = ""
        var refusal: String?
    }

    /// Connects, sends `hello`, and returns the client and its session. The client has one view.
    private static func client(
        of node: TestDaemon, resuming ticket: Ticket? = nil
    ) async throws -> (DialedClient, Ticket) {
        let client = try await node.connect()
        let resume = ticket.map {
            #","resume":{"session":"\#($0.session)","token":"\#($0.token)","#
                + #""snapshot":"\#($0.snapshot)"}"#
        }
        client.send(
            #"[{"type":"hello","protocol":1,"snapshots":true,"#
                + #""views":[{"view":"list","profile":"default"}]\#(resume ?? "")},"#
                + #"{"type":"snapshot"}]"#)
        var received = Ticket()
        while received.snapshot.isEmpty || received.session.isEmpty {
            guard let text = await client.receive(within: .patient).text else { break }
            let frame = try JSONValue(parsing: Array(text.utf8).span, limits: JSONLimits(Limits()))
            for message in frame.array ?? [frame] {
                switch message["type"]?.string {
                case "welcome":
                    received.session = message["session"]?.string ?? ""
                    received.token = message["token"]?.string ?? ""
                    received.refusal = message["reason"]?.string
                case "snapshot": received.snapshot = message["sealed"]?.string ?? ""
                default: break
                }
            }
        }
        return (client, received)
    }

    /// Waits until the connection is closed, and returns the code.
    private static func closeCode(of client: DialedClient) async -> UInt16? {
        while true {
            switch await client.receive(within: .patient) {
            case .message: continue
            case .closed(let code, _): return code
            case .timedOut: return nil
            }
        }
    }

    @Test("A snapshot that is presented at two nodes leaves one session; the other gets 4005")
    func twoNodes() async throws {
        let cluster = try await Nodes()
        let (first, ticket) = try await Self.client(of: cluster.nodes[0])
        // The client loses its connection and resumes at the other node.
        let (second, moved) = try await Self.client(of: cluster.nodes[1], resuming: ticket)
        #expect(moved.session == ticket.session && moved.refusal == nil)
        #expect(await Self.closeCode(of: first) == 4005)
        await cluster.counts(.fenced, at: 1)
        // The answer may have been lost, so the old snapshot takes the session back.
        let (third, back) = try await Self.client(of: cluster.nodes[0], resuming: ticket)
        #expect(back.session == ticket.session && back.refusal == nil)
        #expect(await Self.closeCode(of: second) == 4005)
        third.send(#"{"type":"ping","t":1}"#)
        #expect(await third.receive(within: .patient).text?.contains("pong") == true)
    }

    @Test("A snapshot is refused if the store knows that its client has received a newer one")
    func superseded() async throws {
        let cluster = try await Nodes()
        let (client, ticket) = try await Self.client(of: cluster.nodes[0])
        client.terminate()
        // As a node would write that has resumed the client twice, and received a later message.
        let head =
            #"{"v":1,"from":"0000000000000001","head":["\#(ticket.session)",1,"a",2],"received":2}"#
        let options = BusOptions(name: "test", servers: [cluster.bus.url])
        let writer = try BusListener(options) { _ in }
        defer { writer.close() }
        let subject = "$KV.refreshd_test.\(ticket.session)"
        await eventually("the entry is written") {
            writer.connection.publish(Array(head.utf8), to: subject)
        }
        await eventually("the node has lost its session") {
            cluster.nodes[0].server.parts.cluster?.status.fenceCounters.closed == 1
        }
        for node in cluster.nodes {
            let (_, fresh) = try await Self.client(of: node, resuming: ticket)
            #expect(fresh.refusal == "wrongToken" && fresh.session != ticket.session)
        }
    }

    @Test("After `bye`, the snapshot is refused at the other node")
    func bye() async throws {
        let cluster = try await Nodes()
        let (client, ticket) = try await Self.client(of: cluster.nodes[0])
        client.send(#"{"type":"bye"}"#)
        #expect(await Self.closeCode(of: client) == 1000)
        await eventually("the session is revoked") {
            cluster.nodes[0].server.parts.cluster?.status.fenceCounters.revoked == 1
        }
        for node in cluster.nodes {
            let (_, fresh) = try await Self.client(of: node, resuming: ticket)
            #expect(fresh.refusal == "unknownSession" && fresh.session != ticket.session)
        }
    }

    @Test("After `bye` on a connection without snapshots, an earlier snapshot is refused too")
    func byeWithoutSnapshots() async throws {
        let cluster = try await Nodes()
        let (first, ticket) = try await Self.client(of: cluster.nodes[0])
        first.terminate()
        let client = try await cluster.nodes[0].connect()
        client.send(
            #"{"type":"hello","protocol":1,"resume":{"session":"\#(ticket.session)","#
                + #""token":"\#(ticket.token)"}}"#)
        #expect(await client.receive(within: .patient).text?.contains(#""resumed":true"#) == true)
        client.send(#"{"type":"bye"}"#)
        #expect(await Self.closeCode(of: client) == 1000)
        await eventually("the session is revoked") {
            cluster.nodes[0].server.parts.cluster?.status.fenceCounters.revoked == 1
        }
        let (_, fresh) = try await Self.client(of: cluster.nodes[1], resuming: ticket)
        #expect(fresh.refusal == "unknownSession" && fresh.session != ticket.session)
    }

    @Test("Without JetStream, both nodes accept one snapshot, and `/readyz` and the metrics say so")
    func withoutJetStream() async throws {
        let cluster = try await Nodes(hasJetStream: false)
        let (first, ticket) = try await Self.client(of: cluster.nodes[0])
        let (second, moved) = try await Self.client(of: cluster.nodes[1], resuming: ticket)
        #expect(moved.session == ticket.session && moved.refusal == nil)
        for client in [first, second] {
            client.send(#"{"type":"ping","t":1}"#)
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
        let node = cluster.nodes[1]
        let ready = try await node.get("/readyz")
        #expect(ready == (200, "ready\ncluster: connected, fencing unavailable\n"))
        await cluster.counts(.unfenced, at: 1)
        let metrics = try await node.get("/metrics").body
        #expect(metrics.contains("\nrefreshd_cluster_fencing 0\n"))
        #expect(metrics.contains("\nrefreshd_cluster_claims_total{result=\"unfenced\"} 1\n"))
    }

    @Test("Two sessions of one snapshot become one when the store is back")
    func healing() async throws {
        let cluster = try await Nodes()
        let (first, ticket) = try await Self.client(of: cluster.nodes[0])
        cluster.bus.stop()
        await eventually("the loss of the bus is noticed") {
            cluster.nodes.allSatisfy { $0.server.parts.cluster?.status.isConnected == false }
        }
        let (second, moved) = try await Self.client(of: cluster.nodes[1], resuming: ticket)
        #expect(moved.session == ticket.session)
        await cluster.counts(.unfenced, at: 1)
        first.send(#"{"type":"ping","t":1}"#)
        #expect(await first.receive(within: .patient).text?.contains("pong") == true)
        try cluster.bus.start()
        #expect(await Self.closeCode(of: first) == 4005)
        second.send(#"{"type":"ping","t":1}"#)
        #expect(await second.receive(within: .patient).text?.contains("pong") == true)
    }
}
