import BusTesting
import MessageBus
import RefreshBackends
import RefreshBroker
import RefreshCluster
import RefreshConfiguration
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// A worker that connects to the bus and serves the feed `news`.
private final class BusWorker: Sendable {
    private static let subject = "refreshd.test.worker."

    private let listener = Mutex<BusListener?>(nil)
    private let received = Mutex<[JSONValue]>([])
    private let own: String
    private let answers: Bool
    private let items: String?

    /// `answers`: whether the worker answers loads and edits. Otherwise, it only takes them.
    /// `items`: the items of its answers to loads; nil: an item with the attempt.
    init(_ bus: NATSServer, answers: Bool, items: String? = nil) throws {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        own = Self.subject + String(repeating: "0", count: 16 - digits.count) + digits
        self.answers = answers
        self.items = items
        let options = BusOptions(name: "worker", servers: [bus.url])
        let listener = try BusListener(options) { [weak self] event in self?.handle(event) }
        try listener.connection.subscribe("refreshd.test.work.news", group: "workers")
        try listener.connection.subscribe("refreshd.test.work.news.edits", group: "workers")
        try listener.connection.subscribe(own)
        self.listener.withLock { $0 = listener }
    }

    /// The loads, the edits, and the messages for this worker alone.
    var messages: [JSONValue] { received.withLock { $0 } }
    func messages(of type: String) -> [JSONValue] {
        messages.filter { $0["type"]?.string == type }
    }

    /// Ends the connection without an answer to any load.
    func kill() { listener.withLock { $0.take() }?.close() }

    /// Publishes a message. Returns false if the worker is not connected.
    @discardableResult
    func publish(_ text: String, to subject: String) -> Bool {
        let connection = listener.withLock { $0?.connection }
        return connection?.publish(Array(text.utf8), to: subject, BusEnvelope(replySubject: own))
            ?? false
    }

    private func handle(_ event: BusEvent) {
        guard case .received(let bytes, _, let reply) = event,
            let message = try? JSONValue(parsing: bytes)
        else { return }
        received.withLock { $0.append(message) }
        let type = message["type"]?.string
        guard type == "load" || type == "edit", let reply, let id = message["id"]?.string else {
            return
        }
        publish(#"{"type":"progress","id":"\#(id)","progress":0}"#, to: reply)
        guard answers, let attempt = message["attempt"]?.number else { return }
        if type == "edit" {
            publish(#"{"type":"edited","id":"\#(id)","item":{"id":2,"word":"stored"}}"#, to: reply)
            return
        }
        let items = items ?? "[{\"attempt\":\(Int(attempt))}]"
        // An answer to a load that was not offered.
        publish(#"{"type":"page","id":"1","items":[]}"#, to: reply + "0")
        publish(#"{"type":"page","id":"\#(id)","items":\#(items)}"#, to: reply)
    }
}

/// Nodes of a cluster whose feed is served by workers that connect to NATS.
@Suite(
    "Workers on the bus of a cluster", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct BusWorkerTests {
    /// Two nodes that know each other.
    private static func nodes(
        _ bus: NATSServer, options: String = "debounceMs: 0"
    ) async throws -> [TestDaemon] {
        let nodes = try (0..<2).map { _ in
            try TestDaemon(yaml(bus, feed: "news", options: options))
        }
        await eventually("all nodes are live") {
            nodes.allSatisfy { $0.server.parts.cluster?.status.nodes == nodes.count }
        }
        return nodes
    }

    /// The configuration of a node. `isServed`: whether workers on the bus serve the feed.
    /// `options`: further options of the feed.
    private static func yaml(
        _ bus: NATSServer, feed: String, isServed: Bool = true, options: String = "debounceMs: 0"
    ) -> String {
        """
        cluster: { name: test, servers: [\(bus.url)] }
        feeds: { \(feed): { backend: worker, paging: none, bus: \(isServed), \(options) } }
        """
    }

    /// A client that has attached a view of the feed.
    private static func attached(to node: TestDaemon) async throws -> DialedClient {
        let client = try await node.greeted()
        client.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"news"}"#)
        #expect(await client.receive(within: .patient).text?.contains(#""attached""#) == true)
        return client
    }

    private static func refresh(_ client: DialedClient) {
        client.send(#"{"type":"refresh","seq":2,"view":"list"}"#)
    }

    /// Waits for the message with the items.
    private static func items(_ client: DialedClient) async -> String? {
        while let text = await client.receive(within: .patient).text {
            if text.contains(#""type":"items""#) { return text }
        }
        return nil
    }

    @Test("A worker on the bus serves the loads of all nodes")
    func serves() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(bus)
        let worker = try BusWorker(bus, answers: true)
        for node in nodes {
            let client = try await Self.attached(to: node)
            Self.refresh(client)
            #expect(await Self.items(client)?.contains(#"[{"attempt":1}]"#) == true)
        }
        let loads = worker.messages(of: "load")
        #expect(loads.map { $0["feed"]?.string } == ["news", "news"])
        #expect(Set(loads.map { $0["key"]?.string }).count == 2)
        #expect(Set(loads.map { $0["id"]?.string }).count == 2)
        await eventually("the foreign answers are counted") {
            nodes.map { node in
                node.server.parts.workers?.backend.counters.droppedBusMessages ?? 0
            }.reduce(0, +) == 2
        }
        let page = try await nodes[0].get("/metrics").body
        #expect(page.contains("refreshd_cluster_worker_offers_total{result=\"taken\"}"))
        worker.kill()
    }

    @Test("A worker on the bus performs an edit once, and both nodes show the item")
    func edits() async throws {
        let bus = try NATSServer()
        let options = "debounceMs: 0, itemKey: /id, edits: { operations: [update] }"
        let nodes = try await Self.nodes(bus, options: options)
        let worker = try BusWorker(bus, answers: true, items: #"[{"id":1},{"id":2}]"#)
        var clients: [DialedClient] = []
        for node in nodes {
            let client = try await node.connect()
            client.send(#"{"type":"hello","protocol":1,"features":["patch","live","edits"]}"#)
            client.send(
                #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"news"}"#)
            Self.refresh(client)
            #expect(await Self.items(client)?.contains(#""mode":"replace""#) == true)
            clients.append(client)
        }
        clients[0].send(
            #"{"type":"edit","seq":3,"view":"list","edit":"6f0c8a52","#
                + #""operation":{"update":{"id":2,"word":"mine"}}}"#)
        let operations = #""operations":[{"update":{"id":2,"word":"stored"}}]"#
        let frame = try #require(await Self.items(clients[0]))
        #expect(frame.contains(operations))
        #expect(frame.contains(#""edit":"6f0c8a52","result":"replaced","key":2}"#))
        let other = try #require(await Self.items(clients[1]))
        #expect(other.contains(operations) && !other.contains(#""edited""#))
        let edits = worker.messages(of: "edit")
        #expect(edits.map { $0["feed"]?.string } == ["news"])
        #expect(edits.first?["operation"]?["update"]?["word"]?.string == "mine")
        worker.kill()
    }

    @Test("The load of a killed worker is answered by another one, with attempt 2 and its key")
    func killed() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(bus)
        let first = try BusWorker(bus, answers: false)
        let client = try await Self.attached(to: nodes[0])
        Self.refresh(client)
        await eventually("the first worker has the load") { first.messages.count == 1 }
        await eventually("the load is taken") {
            nodes.contains { $0.server.parts.workers?.backend.counters.running == 1 }
        }
        first.kill()
        let second = try BusWorker(bus, answers: true)
        #expect(await Self.items(client)?.contains(#"[{"attempt":2}]"#) == true)
        let keys = (first.messages + second.messages(of: "load")).map { $0["key"]?.string }
        #expect(keys.count == 2)
        #expect(keys[0] != nil && Set(keys).count == 1)
        second.kill()
    }

    /// Two nodes, and a worker that has taken the load of a client and does not answer it.
    private static func takenLoad(
        _ bus: NATSServer
    ) async throws -> (nodes: [TestDaemon], worker: BusWorker, client: DialedClient) {
        let nodes = try await nodes(bus)
        let worker = try BusWorker(bus, answers: false)
        let client = try await attached(to: nodes[0])
        refresh(client)
        await eventually("the load is taken") {
            nodes.contains { $0.server.parts.workers?.backend.counters.running == 1 }
        }
        return (nodes, worker, client)
    }

    @Test("A load that is cancelled is cancelled at its worker")
    func cancelled() async throws {
        let bus = try NATSServer()
        let (nodes, worker, client) = try await Self.takenLoad(bus)
        client.send(#"{"type":"cancel","seq":3,"view":"list"}"#)
        await eventually("the worker receives the cancellation") {
            worker.messages(of: "cancel").count == 1
        }
        // On a busy machine, a load that the worker took too late has been offered again.
        let cancelled = try #require(worker.messages(of: "cancel").first?["id"])
        #expect(worker.messages(of: "load").last?["id"] == cancelled)
        worker.kill()
        withExtendedLifetime(nodes) {}
    }

    @Test("When a node stops, the workers on the bus receive `cancel` for its loads")
    func stopped() async throws {
        let bus = try NATSServer()
        let (nodes, worker, client) = try await Self.takenLoad(bus)
        let owner = try #require(
            nodes.first { $0.server.parts.workers?.backend.counters.running == 1 })
        owner.server.stop()
        await eventually("the worker receives the cancellation") {
            // On a busy machine, a load that the worker took too late has been offered again.
            let load = worker.messages(of: "load").last?["id"]
            return worker.messages(of: "cancel").contains { $0["id"] == load }
        }
        worker.kill()
        withExtendedLifetime(client) {}
    }

    /// Applies another configuration to a node.
    private static func reload(_ node: TestDaemon, _ yaml: String) throws {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        try node.server.reload(
            Configuration(
                flags: flags, file: ConfigurationFile(text: yaml, path: "refreshd.yaml")))
    }

    /// A node whose worker backend was replaced by a reload while a worker had a load of the
    /// earlier one.
    private static func replacedBackend(
        _ bus: NATSServer
    ) async throws -> (node: TestDaemon, worker: BusWorker, client: DialedClient, load: String) {
        let node = try TestDaemon(yaml(bus, feed: "news"))
        let worker = try BusWorker(bus, answers: false)
        let client = try await attached(to: node)
        refresh(client)
        let earlier = try #require(node.server.parts.workers?.backend)
        await eventually("the load is taken") { earlier.counters.running == 1 }
        try reload(node, yaml(bus, feed: "news", options: "lineBytesMax: 65536"))
        return (
            node, worker, client,
            try #require(worker.messages(of: "load").first?["id"]?.string)
        )
    }

    @Test("When a node stops, the loads of a backend before a reload are cancelled too")
    func stoppedAfterReload() async throws {
        let bus = try NATSServer()
        let (node, worker, client, load) = try await Self.replacedBackend(bus)
        node.server.stop()
        await eventually("the worker receives the cancellation") {
            worker.messages(of: "cancel").contains { $0["id"]?.string == load }
        }
        worker.kill()
        withExtendedLifetime(client) {}
    }

    @Test("After a reload, the answer to a load of the earlier backend is not counted as dropped")
    func answeredAfterReload() async throws {
        let bus = try NATSServer()
        let (node, worker, client, load) = try await Self.replacedBackend(bus)
        let own = try #require(node.server.parts.cluster?.own)
        let answers = "refreshd.test.node.\(own.text).load."
        worker.publish(#"{"type":"progress","id":"\#(load)","progress":0}"#, to: answers + load)
        worker.publish(#"{"type":"page","id":"\#(load)","items":[7]}"#, to: answers + load)
        #expect(await Self.items(client)?.contains(#""items":[7]"#) == true)
        worker.publish(#"{"type":"page","id":"1","items":[]}"#, to: answers + "1")
        let backend = try #require(node.server.current.withLock { $0 }.workers?.backend)
        await eventually("the answer to no load is counted") {
            backend.counters.droppedBusMessages > 0
        }
        #expect(backend.counters.droppedBusMessages == 1)
        worker.kill()
    }

    @Test(
        "A node that is reloaded without workers on the bus spreads the changes that it receives",
        arguments: ["news", "films"])
    func reloaded(_ feed: String) async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(bus)
        let worker = try BusWorker(bus, answers: true)
        try Self.reload(nodes[0], Self.yaml(bus, feed: feed, isServed: false))
        // NATS delivers each report to one of the two nodes.
        await eventually("the first node has spread a change") {
            worker.publish(
                #"{"type":"changed","feed":"news"}"#, to: "refreshd.test.work.news.changed")
            return (nodes[0].server.parts.cluster?.status.counters.changesReported ?? 0) > 0
        }
        await eventually("the second node has applied it") {
            (nodes[1].server.parts.cluster?.status.counters.changesApplied ?? 0) > 0
        }
        worker.kill()
    }

    @Test("A change that a worker on the bus reports reaches the views of all nodes once")
    func change() async throws {
        let bus = try NATSServer()
        let nodes = try await Self.nodes(bus)
        let worker = try BusWorker(bus, answers: true)
        var clients: [DialedClient] = []
        for node in nodes { clients.append(try await Self.attached(to: node)) }
        await eventually("the worker is connected") {
            worker.publish(
                #"{"type":"changed","feed":"news","count":3}"#,
                to: "refreshd.test.work.news.changed")
        }
        for client in clients {
            let update = await client.receive(within: .patient).text
            #expect(update?.contains(#""newer":true"#) == true)
            client.send(#"{"type":"ping","t":1}"#)
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
        worker.kill()
    }
}
