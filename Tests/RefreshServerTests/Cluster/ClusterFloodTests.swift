import RefreshBroker
import RefreshCluster
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// A program that has access to the bus and does not follow the format of its messages. It speaks
/// the protocol of NATS itself, so that no library keeps it from sending anything.
private struct Intruder {
    private let socket: PlainSocket

    init(_ bus: NATSServer) throws {
        socket = try PlainSocket(port: bus.port)
        socket.send("CONNECT {\"verbose\":false,\"pedantic\":false}\r\n")
    }

    /// Publishes a message to each of the subjects.
    func publish(_ bytes: [UInt8], to subjects: [String]) {
        for subject in subjects {
            socket.send(Array("PUB \(subject) \(bytes.count)\r\n".utf8) + bytes + [13, 10])
        }
    }

    /// Announces a message of this size.
    func announce(bytes count: Int, to subject: String) {
        socket.send("PUB \(subject) \(count)\r\n")
    }
}

/// Floods from the bus. Source: docs/threat-model.md, "The bus of a cluster".
@Suite(
    "Nodes of a cluster whose bus is flooded", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterFloodTests {
    private let bus: NATSServer
    private let nodes: [TestDaemon]
    private let service: LocalServer
    /// The subjects of all messages that the first node receives from other nodes.
    private let subjects: [String]

    init() async throws {
        let bus = try NATSServer()
        let service = try LocalServer { $0.reply(200, #"[{"id":1}]"#) }
        nodes = try (0..<2).map { _ in try ClusterTests.node(bus, service) }
        (self.bus, self.service) = (bus, service)
        await ClusterTests.join(nodes)
        let own = try #require(nodes[0].server.parts.cluster?.own)
        subjects = ["refreshd.test.all", "refreshd.test.node.\(own.text)"]
    }

    private var counters: ClusterCounters {
        nodes[0].server.parts.cluster?.status.counters ?? ClusterCounters()
    }

    /// Expects that both nodes serve their sessions, and that they still work as one.
    private func expectService(_ clients: [DialedClient], seq: Int) async {
        for client in clients {
            let items = await ClusterTests.refreshed(client, seq: seq)
            #expect(items?.contains(#"[{"id":1}]"#) == true)
        }
        for node in nodes {
            let status = node.server.parts.cluster?.status
            #expect(status?.isConnected == true && status?.nodes == 2)
            #expect(status?.counters.nodesLost == 0)
        }
    }

    @Test("10,000 messages of garbage are counted and dropped, and the node serves meanwhile")
    func garbage() async throws {
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await ClusterTests.attached(to: node)) }
        let intruder = try Intruder(bus)
        var random = SeededGenerator(seed: 20_261_130)
        for round in 0..<10 {
            for _ in 0..<500 {
                let bytes = (0..<Int.random(in: 0..<400, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                intruder.publish(bytes, to: subjects)
            }
            await expectService(clients, seq: 2 + round)
        }
        await eventually("all of them are counted") { counters.dropped[.malformed] == 10_000 }
        #expect(counters.dropped == [.malformed: 10_000])
        let page = try await nodes[0].get("/metrics").body
        #expect(
            page.contains(
                "\nrefreshd_cluster_dropped_messages_total{reason=\"malformed\"} 10000\n"))
        await expectService(clients, seq: 12)
    }

    @Test("A gigabyte of messages with an endless head is dropped, and the node serves meanwhile")
    func gigabyte() async throws {
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await ClusterTests.attached(to: node)) }
        let intruder = try Intruder(bus)
        // As long as the server permits. NATS ends a connection for which 64 MiB wait, so the node
        // gets the time to read them.
        let opening = Array(#"{"v":1,"type":"state","name":""#.utf8)
        let bytes = opening + [UInt8](repeating: 0x61, count: (1 << 20) - opening.count)
        let rounds = 64
        for round in 1...rounds {
            for _ in 0..<8 { intruder.publish(bytes, to: subjects) }
            await eventually("the messages of the round are counted") {
                counters.dropped[.tooLong] == 16 * round
            }
            if round.isMultiple(of: 8) { await expectService(clients, seq: 1 + round) }
        }
        #expect(counters.dropped == [.tooLong: 1024])
    }

    @Test(
        "A message above `max_payload` reaches no node: the server refuses it",
        arguments: [
            (999_999_999, "maximum payload exceeded: 999999999 vs 1048576"),
            (1 << 30, "processPub Bad or Missing Size"),
        ])
    func tooLarge(size: Int, refusal: String) async throws {
        let intruder = try Intruder(bus)
        intruder.announce(bytes: size, to: subjects[0])
        await eventually("the server refuses the message") { bus.log.contains(refusal) }
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await ClusterTests.attached(to: node)) }
        await expectService(clients, seq: 2)
        #expect(counters.dropped == [:])
    }
}
