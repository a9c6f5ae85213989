import RefreshBroker
import RefreshCluster
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// A client with a view of each feed. The views have the names of their feeds.
private final class Lists {
    private let line: CheckedLine
    private var lastNumber = 0

    init(of feeds: [String], at node: TestDaemon) async throws {
        line = try await node.checkedClient()
        line.send(#"{"type":"hello","protocol":1}"#)
        for feed in feeds {
            send("attach", feed, #","profile":"default","feed":"\#(feed)""#)
            try await receive(#""type":"attached""#)
        }
    }

    /// Sends a message about the view of a feed.
    func send(_ type: String, _ feed: String, _ members: String = "") {
        lastNumber += 1
        line.send(#"{"type":"\#(type)","seq":\#(lastNumber),"view":"\#(feed)"\#(members)}"#)
    }

    /// Waits for the next frame.
    func next() async throws -> String {
        try #require(await line.receive(within: .patient).text)
    }

    /// Waits for a message that contains the text, and returns its frame.
    @discardableResult
    func receive(_ wanted: String) async throws -> String {
        while true {
            let text = try await next()
            if text.contains(wanted) { return text }
        }
    }
}

/// Two nodes of a cluster, and workers that are connected to the second one by WebSocket. Source:
/// docs/cluster.md, "Workers".
@Suite(
    "Workers that are connected to another node", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct ClusterWorkerTests {
    private static let feeds = ["films", "songs"]

    private let bus: NATSServer
    private let nodes: [TestDaemon]

    init() async throws {
        let bus = try NATSServer()
        nodes = try (0..<2).map { _ in
            try TestDaemon(
                """
                cluster: { name: test, servers: [\(bus.url)] }
                \(WorkerConnectionTests.configuration)
                """)
        }
        self.bus = bus
        await ClusterTests.join(nodes)
    }

    /// A worker at the second node. Both nodes know that it serves all feeds.
    private func worker() async throws -> CheckedLine {
        let worker = try await WorkerConnectionTests.registered(
            nodes[1], feeds: Self.feeds, capacity: 4)
        for node in nodes {
            let known = Mutex<[String]>([])
            await eventually("the node knows the feeds of the worker") {
                describe(node) { feeds in known.withLock { $0 = feeds } }
                return known.withLock { $0 } == Self.feeds
            }
        }
        return worker
    }

    /// Asks a node which feeds the workers of the second node serve.
    private func describe(
        _ node: TestDaemon, _ answer: @escaping @Sendable ([String]) -> Void
    ) {
        let id = nodes[1].server.parts.cluster?.own.text
        node.server.parts.cluster?.describe { bytes in
            let nodes = bytes.flatMap { try? JSONValue(parsing: $0) }?["nodes"]?.array ?? []
            let workers = nodes.first { $0["node"]?.string == id }?["workers"]?.array ?? []
            answer(workers.compactMap(\.string).sorted())
        }
    }

    private func lists(at node: TestDaemon) async throws -> Lists {
        try await Lists(of: Self.feeds, at: node)
    }

    /// The next message of a worker, which must be a load.
    private func load(of worker: CheckedLine) async throws -> JSONValue {
        let text = try #require(await worker.receive(within: .patient).text)
        let load = try JSONValue(parsing: text)
        try #require(load["type"]?.string == "load", "\(text)")
        return load
    }

    private func answer(_ load: JSONValue, _ items: String, by worker: CheckedLine) throws {
        let id = try #require(load["id"]?.string)
        worker.send(#"{"type":"page","id":"\#(id)","items":\#(items)}"#)
    }

    @Test("A worker at another node gets the load with its key and attempt, and sends progress")
    func load() async throws {
        let worker = try await worker()
        let client = try await lists(at: nodes[0])
        client.send("refresh", "songs")
        let load = try await load(of: worker)
        #expect(load["feed"]?.string == "songs" && load["kind"]?.string == "refresh")
        #expect(load["attempt"]?.number == 1)
        #expect(load["key"]?.string?.isEmpty == false)
        let id = try #require(load["id"]?.string)
        worker.send(#"{"type":"progress","id":"\#(id)","progress":0.25}"#)
        let progress = try await client.receive(#""phase":"progress""#)
        #expect(progress.contains(#""progress":0.25"#))
        try answer(load, "[ {\"n\":1} ]", by: worker)
        #expect(try await client.receive(#""type":"items""#).contains(#"[ {"n":1} ]"#))
        #expect(nodes[1].server.parts.cluster?.status.counters.loads == 1)
    }

    @Test("A load whose worker at another node dies is answered by another worker, with its key")
    func lost() async throws {
        let first = try await worker()
        let client = try await lists(at: nodes[0])
        client.send("refresh", "songs")
        let load = try await load(of: first)
        let second = try await WorkerConnectionTests.registered(nodes[1])
        first.cut()
        let again = try await self.load(of: second)
        #expect(again["attempt"]?.number == 2)
        #expect(again["key"] != nil && again["key"] == load["key"])
        try answer(again, "[7]", by: second)
        #expect(try await client.receive(#""type":"items""#).contains(#""items":[7]"#))
    }

    @Test("A change that a worker at another node reports reaches the views of all nodes")
    func change() async throws {
        let worker = try await worker()
        var clients: [Lists] = []
        for node in nodes { clients.append(try await lists(at: node)) }
        worker.send(#"{"type":"changed","feed":"songs","count":3}"#)
        for client in clients {
            let update = try await client.next()
            #expect(update.contains(#""view":"songs""#) && update.contains(#""newer":true"#))
        }
    }

    /// Expects that the worker has received no message since the last one. Everything that the
    /// client has sent is handled by then, because its next load comes after it.
    private func expectNoMessage(
        _ worker: CheckedLine, _ client: Lists
    ) async throws {
        client.send("refresh", "films")
        let load = try await load(of: worker)
        #expect(load["feed"]?.string == "films")
        try answer(load, "[]", by: worker)
        try await client.receive(#""type":"items""#)
    }

    @Test(
        "The call for both nodes is cancelled once, when the last session of the last node leaves",
        arguments: [[0, 1, 2], [2, 1, 0], [0, 2, 1]])
    func cancelled(order: [Int]) async throws {
        let worker = try await worker()
        var clients: [Lists] = []
        // The last one is a client of the owner.
        for node in [nodes[0], nodes[0], nodes[1]] { clients.append(try await lists(at: node)) }
        clients[0].send("refresh", "songs")
        let load = try await load(of: worker)
        #expect(load["feed"]?.string == "songs")
        for client in clients.dropFirst() {
            client.send("refresh", "songs")
            try await expectNoMessage(worker, client)
        }
        func cancel(_ client: Lists) async throws {
            client.send("cancel", "songs")
            try await client.receive(#""phase":"cancelled""#)
        }
        for index in order.dropLast() {
            try await cancel(clients[index])
            try await expectNoMessage(worker, clients[index])
        }
        let last = clients[try #require(order.last)]
        try await cancel(last)
        let id = try #require(load["id"]?.string)
        #expect(
            await worker.receive(within: .patient).text == #"{"type":"cancel","id":"\#(id)"}"#)
        try await expectNoMessage(worker, last)
    }
}
