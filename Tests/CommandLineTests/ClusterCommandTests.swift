import Foundation
import Testing
import Workbench

/// The processes of a cluster, as an operator sees them. Source: docs/cluster.md.
@Suite("refreshd and refresh-probe with a cluster", .ownThread, .limit)
struct ClusterCommandTests {
    private static func cluster(_ server: String) -> String {
        "cluster: { name: test, servers: [\"\(server)\"] }"
    }

    /// A listening socket. Nobody accepts its connections.
    private final class Listener {
        private let descriptor: Int32
        let port: UInt16

        init() throws { (descriptor, port) = try LocalServer.listen() }

        deinit { close(descriptor) }

        /// Whether a connection to the socket has been made, within this time.
        func isConnected(withinMs ms: Int32) -> Bool {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&polled, 1, ms) == 1
        }
    }

    /// The body and the head of the answer to a request for a page.
    private static func get(_ path: String, port: Int) throws -> String {
        let socket = try PlainSocket(port: UInt16(port))
        socket.send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        return socket.readToEnd()
    }

    /// The names of the daemon's threads.
    private static func threads(of daemon: RunningDaemon) throws -> Set<String> {
        let tasks = "/proc/\(daemon.processIdentifier)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
            try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
        }
        return Set(names.map { $0.trimmingCharacters(in: .newlines) })
    }

    @Test("`check-config` makes no connection to a server to which the daemon connects")
    func check() throws {
        let listener = try Listener()
        let file = try Refreshd.configuration(
            "listen: [\"127.0.0.1:0\"]\n\(Self.cluster("nats://127.0.0.1:\(listener.port)"))\n")
        defer { try? FileManager.default.removeItem(at: file) }
        for command in ["check-config", "print-config"] {
            let ending = try Refreshd.run(command, "--config", file.path)
            #expect(ending.status == 0, "\(ending.errors)")
            // The connection of a process that has ended would still wait to be accepted.
            #expect(!listener.isConnected(withinMs: 0), "\(command)")
        }
        let daemon = try RunningDaemon(["--config", file.path])
        #expect(listener.isConnected(withinMs: Int32(60_000 * patience)))
        _ = daemon
    }

    @Test("Only with `cluster`, the daemon has a thread for the bus and metrics of the cluster")
    func threads() throws {
        let server = "nats://127.0.0.1:\(try LocalServer.closedPort())"
        let (alone, port, admin) = try WatchTests.daemon()
        let (node, _, adminOfNode) = try WatchTests.daemon(Self.cluster(server))
        try WatchTests.session(port: port)
        #expect(node.logs("bus failed"))
        #expect(try Self.threads(of: node).contains("bus"))
        #expect(try !Self.threads(of: alone).contains("bus"))
        let family = "refreshd_cluster_"
        #expect(try Self.get("/metrics", port: adminOfNode).contains(family))
        #expect(try !Self.get("/metrics", port: admin).contains(family))
        #expect(try Self.get("/readyz", port: admin).hasSuffix("\r\n\r\nready\n"))
        #expect(!alone.log.contains("bus"))
    }

    @Test("If the bus cannot be reached, the daemon serves, and says so in three places")
    func unreachable() throws {
        let bus = try LocalServer.closedPort()
        let (daemon, port, admin) = try WatchTests.daemon(
            Self.cluster("nats://127.0.0.1:\(bus)"))
        try WatchTests.session(port: port)
        #expect(daemon.logs("bus failed"))
        let line = daemon.log.split(separator: "\n").first { $0.contains("bus failed") }
        #expect(line?.contains("warning") == true && line?.contains(":\(bus)") == true)
        let ready = try Self.get("/readyz", port: admin)
        #expect(ready.hasPrefix("HTTP/1.1 200 "))
        #expect(ready.hasSuffix("\r\n\r\nready\ncluster: not connected\n"))
        let metrics = try Self.get("/metrics", port: admin)
        #expect(metrics.contains("\nrefreshd_cluster_connected 0\n"))
        #expect(metrics.contains("\nrefreshd_cluster_nodes 1\n"))
    }

    /// The names of the sessions whose opening the probe has printed.
    private static func opened(_ text: String) throws -> [String] {
        try text.split(separator: "\n").compactMap { line in
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return event?["event"] as? String == "opened" ? event?["session"] as? String : nil
        }
    }

    @Test(
        "`watch --cluster` at one node prints the sessions of all nodes, and `watch` its own ones",
        .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
    func watch() throws {
        let bus = try NATSServer()
        let nodes = try (0..<2).map { _ in try WatchTests.daemon(Self.cluster(bus.url)) }
        for node in nodes { #expect(node.daemon.logs("node joined")) }
        let url = "ws://127.0.0.1:\(nodes[0].admin)"
        let all = try WatchTests.start(["watch", "--json", "--cluster", "--url", url])
        defer { all.process.terminate() }
        let own = try WatchTests.start(["watch", "--json", "--url", url])
        defer { own.process.terminate() }
        // Each of the two nodes confirms that it is watched.
        _ = try WatchTests.read(all.lines) { $0.ranges(of: "\"watching\"").count == 2 }
        _ = try WatchTests.read(own.lines) { $0.contains("\"watching\"") }
        let hasClosed = { (text: String) in text.contains("\"closed\"") && text.hasSuffix("\n") }
        var sessions: [[String]] = []
        for node in nodes.reversed() {
            try WatchTests.session(port: node.port)
            sessions.append(try Self.opened(try WatchTests.read(all.lines, until: hasClosed)))
        }
        #expect(sessions.map(\.count) == [1, 1] && sessions[0] != sessions[1])
        let ownSessions = try Self.opened(try WatchTests.read(own.lines, until: hasClosed))
        #expect(ownSessions == sessions[1])
    }
}
