import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// A proxy on this machine that the configuration does not name.
@Suite("Requests of an unconfigured proxy", .ownThread, .limit)
struct ForwardedGateTests {
    private static func route(
        _ peer: GatePolicy.Peer, isGuarded: Bool, path: String = "/v1/session"
    ) throws -> Result<GatePolicy.Route, GateRefusal> {
        let proxy = try #require(AddressRange("127.0.0.9"))
        let gate = GatePolicy(
            listeners: [BoundListener(address: try #require(IPAddress("127.0.0.1")), port: 8080)],
            origins: [], proxies: TrustedProxies([proxy]), isGuarded: isGuarded, servesEcho: true,
            sessionsMax: 10, workersMax: 1)
        return gate.route(
            path: path, host: "localhost:8080", origin: nil, peer: peer, localAddress: "127.0.0.1",
            localPort: 8080, usage: .init())
    }

    @Test(
        "A forwarded request is admitted if `auth` is configured or its proxy is listed")
    func routes() throws {
        let unknownPeer = GatePolicy.Peer(address: "127.0.0.1", isForwarding: true)
        let proxy = GatePolicy.Peer(address: "127.0.0.9", isForwarding: true)
        for path in ["/v1/session", "/v1/worker", "/echo"] {
            #expect(
                try Self.route(unknownPeer, isGuarded: false, path: path)
                    == .failure(.proxyNotConfigured))
        }
        #expect(try Self.route(unknownPeer, isGuarded: true) == .success(.session))
        #expect(try Self.route(proxy, isGuarded: false) == .success(.session))
        #expect(try Self.route(.local, isGuarded: false) == .success(.session))
    }

    private static func status(_ daemon: TestDaemon, _ header: String) throws -> String {
        let socket = try PlainSocket(port: daemon.port)
        socket.send(ShareTests.upgrade(daemon.port, header))
        return String(socket.readHead().dropFirst(9).prefix(3))
    }

    @Test("Without `auth`, a request of an unlisted proxy gets 403, and the daemon warns once")
    func daemon() throws {
        let log = LogRecorder()
        let daemon = try TestDaemon("origins: []", log: log.log)
        let header = "X-Forwarded-For: 198.51.100.7\r\n"
        #expect(try Self.status(daemon, header) == "403")
        #expect(try Self.status(daemon, "Forwarded: for=198.51.100.7\r\n") == "403")
        // An empty header does not hide the next header of the same name.
        let empty = "Forwarded:\r\nForwarded: for=198.51.100.7\r\n"
        #expect(try Self.status(daemon, empty) == "403")
        #expect(try Self.status(daemon, "") == "101")
        #expect(daemon.total.connections.count(of: .proxyNotConfigured) == 3)
        let warnings = log.lines.filter { $0.contains("proxy not configured") }
        #expect(warnings.count == 1 && warnings.first?.hasPrefix("warning") == true, "\(warnings)")
        let open = try TestDaemon("auth: { mode: none }")
        #expect(try Self.status(open, header) == "101")
    }

    @Test("An unlisted proxy gets no pages except health and readiness")
    func pages() throws {
        let log = LogRecorder()
        let daemon = try TestDaemon("demo: true\nadmin: 127.0.0.1:0", log: log.log)
        func status(_ path: String, _ header: String, _ port: UInt16) throws -> String {
            let socket = try PlainSocket(port: port)
            socket.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(header)\r\n")
            let status = String(socket.readHead().dropFirst(9).prefix(3))
            if status == "403" {
                #expect(socket.readBody().contains(#""code":"proxyNotConfigured""#))
            }
            return status
        }
        let header = "X-Forwarded-For: 198.51.100.7\r\n"
        let pages = [
            ("/", "200"), ("/page.js", "200"), ("/metrics", "200"), ("/v1/session", "400"),
            ("/none", "404"), ("/v1/sessions", "401"),
        ]
        for (path, plain) in pages {
            #expect(try status(path, header, daemon.port) == "403", "\(path)")
            #expect(try status(path, "Forwarded: for=1.2.3.4\r\n", daemon.port) == "403", "\(path)")
            #expect(try status(path, "", daemon.port) == plain, "\(path)")
        }
        for path in ["/healthz", "/readyz"] {
            #expect(try status(path, header, daemon.port) == "200", "\(path)")
        }
        #expect(log.lines.count { $0.contains("proxy not configured") } == 1)
        let admin = try #require(daemon.server.listeners.first { $0.isAdmin }?.port)
        for path in ["/metrics", "/v1/sessions", "/v1/none"] {
            #expect(try status(path, header, admin) == "403", "\(path)")
        }
        #expect(try status("/metrics", "", admin) == "200")
        #expect(try status("/v1/sessions", "", admin) == "200")
        #expect(try status("/readyz", header, admin) == "200")
        let watcher = try PlainSocket(port: admin)
        watcher.send(
            ShareTests.upgrade(admin, header).replacing(
                "/v1/session ", with: "/v1/watch "))
        #expect(watcher.readHead().dropFirst(9).hasPrefix("403"))
        let open = try TestDaemon("demo: true\nauth: { mode: none }")
        #expect(try status("/", header, open.port) == "200")
    }

    @Test("The warning is logged at most once a minute")
    func warning() {
        let trust = ProxyTrust(TrustedProxies())
        let due = [0.0, 1, 59_999, 60_000, 60_001, 120_000].map {
            trust.recordUntrustedProxy(at: Instant(milliseconds: $0))
        }
        #expect(due == [true, false, false, true, false, true])
    }
}
