import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// Limits of connections and handshakes, tested with a whole daemon and real sockets.
@Suite("Admission", .ownThread, .limit)
struct AdmissionTests {
    /// Returns the bytes of an upgrade request.
    private static func upgrade(_ port: UInt16) -> String {
        "GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    }

    private static func get(_ path: String, _ port: UInt16) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    }

    /// Returns a connection that was admitted as a session.
    private static func session(_ daemon: TestDaemon) throws -> PlainSocket {
        let socket = try PlainSocket(port: daemon.port)
        socket.send(upgrade(daemon.port))
        #expect(socket.readHead().hasPrefix("HTTP/1.1 101 "))
        return socket
    }

    @Test(
        "A connection above the limit is answered 503, and open connections stay open",
        arguments: ["connectionsMax", "connectionsPerAddressMax"])
    func over(_ limit: String) throws {
        let daemon = try TestDaemon("limits: { \(limit): 3, headTimeoutMs: 60000 }")
        let first = try Self.session(daemon)
        // A connection without any request counts like any other connection.
        var silent: PlainSocket? = try PlainSocket(port: daemon.port)
        // Each loop accepts connections at its own pace, so a later connection may be admitted
        // earlier.
        #expect(
            becomesTrueBlocking { daemon.server.parts.connectionLimiter.census.connections == 2 })
        let third = try Self.session(daemon)
        for request in [Self.upgrade(daemon.port), Self.get("/", daemon.port)] {
            let refused = try PlainSocket(port: daemon.port)
            refused.send(request)
            let head = refused.readHead()
            #expect(head.hasPrefix("HTTP/1.1 503 "))
            #expect(head.contains("\r\nretry-after: 5\r\n"))
            #expect(refused.readToEnd().contains(#""code":"tooManyConnections""#))
        }
        #expect(daemon.total.connections.count(of: ConnectionRefusal.tooManyConnections) == 2)
        #expect(daemon.total.connections.count(of: GateRefusal.tooManyConnections) == 1)
        for session in [first, third] {
            session.sendText(#"{"type":"hello","protocol":1}"#)
            #expect(session.readText()?.contains(#""type":"welcome""#) == true)
        }
        silent?.send("")
        silent = nil
        #expect(
            becomesTrueBlocking {
                guard let socket = try? PlainSocket(port: daemon.port) else { return false }
                socket.send(Self.upgrade(daemon.port))
                return socket.readHead().hasPrefix("HTTP/1.1 101 ")
            })
    }

    @Test("A full daemon still answers `/healthz` with 200, so that it is not restarted")
    func healthWhileFull() throws {
        let daemon = try TestDaemon("limits: { connectionsMax: 1, headTimeoutMs: 60000 }")
        let first = try Self.session(daemon)
        for (path, status) in [("/healthz", 200), ("/readyz", 503), ("/v1/sessions", 503)] {
            let socket = try PlainSocket(port: daemon.port)
            socket.send(Self.get(path, daemon.port))
            #expect(socket.readHead().hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
        _ = first
    }

    @Test("Upgrades that are refused for another reason do not use up the rate of handshakes")
    func otherAddresses() throws {
        let daemon = try TestDaemon("limits: { handshakesPerSecondMax: 1 }")
        for line in ["Origin: https://evil.example", "Host: evil.example"] {
            for _ in 0..<3 {
                let socket = try PlainSocket(port: daemon.port)
                let upgrade = Self.upgrade(daemon.port)
                socket.send(
                    line.hasPrefix("Host")
                        ? upgrade.replacing("Host: 127.0.0.1:\(daemon.port)", with: line)
                        : String(upgrade.dropLast(2)) + line + "\r\n\r\n")
                let head = socket.readHead()
                #expect(head.hasPrefix("HTTP/1.1 4"), "\(line): \(head)")
            }
        }
        #expect(daemon.total.connections.count(of: GateRefusal.tooManyHandshakes) == 0)
        for _ in 0..<2 { _ = try Self.session(daemon) }
    }

    @Test("If too many connections wait for their refusal, further ones are closed at once")
    func refusedAtOnce() throws {
        let daemon = try TestDaemon(
            "limits: { connectionsMax: 1, headTimeoutMs: 60000 }", loops: 1)
        let first = try Self.session(daemon)
        // All of them come from one address.
        let silent = try (0..<ConnectionLimiter.surplusPerAddressMax).map { _ in
            try PlainSocket(port: daemon.port)
        }
        let last = try PlainSocket(port: daemon.port)
        #expect(last.readToEnd().isEmpty)
        #expect(daemon.total.connections.count(of: .turnedAway) == 1)
        #expect(
            silent.count == daemon.total.connections.count(of: ConnectionRefusal.tooManyConnections)
        )
        first.sendText(#"{"type":"hello","protocol":1}"#)
        #expect(first.readText()?.contains(#""type":"welcome""#) == true)
    }

    @Test("While clients have taken all connections, an operator can still read the metrics")
    func admin() throws {
        let daemon = try TestDaemon("limits: { connectionsMax: 1 }\nadmin: 127.0.0.1:0")
        let port = try #require(daemon.server.listeners.first { $0.isAdmin }?.port)
        let first = try Self.session(daemon)
        let admin = try PlainSocket(port: port)
        admin.send(Self.get("/metrics", port))
        #expect(admin.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(admin.readBody().contains("\nrefreshd_connections 1\n"))
        _ = first
    }

    @Test(
        "adminConnectionsMax: above the limit, an operator gets 503, and clients are not affected"
    )
    func adminBound() throws {
        let daemon = try TestDaemon(
            "limits: { adminConnectionsMax: 2, headTimeoutMs: 60000 }\nadmin: 127.0.0.1:0")
        let port = try #require(daemon.server.listeners.first { $0.isAdmin }?.port)
        let connectionLimiter = daemon.server.parts.connectionLimiter
        var silent: PlainSocket? = try PlainSocket(port: port)
        #expect(becomesTrueBlocking { connectionLimiter.census.admin == 1 })
        let second = try PlainSocket(port: port)
        second.send(Self.get("/metrics", port))
        #expect(second.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(second.readBody().contains("\nrefreshd_admin_connections 2\n"))
        for (path, status) in [("/metrics", 503), ("/healthz", 200), ("/v1/sessions", 503)] {
            let third = try PlainSocket(port: port)
            third.send(Self.get(path, port))
            #expect(third.readHead().hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
        let watcher = try PlainSocket(port: port)
        watcher.send(
            Self.upgrade(port).replacing("/v1/session", with: "/v1/watch")
                .replacing("\r\n\r\n", with: "\r\nSec-WebSocket-Protocol: refresh.watch.v1\r\n\r\n")
        )
        #expect(watcher.readHead().hasPrefix("HTTP/1.1 503 "))
        #expect(daemon.total.connections.count(of: ConnectionRefusal.tooManyConnections) == 4)
        #expect(daemon.total.connections.count(of: GateRefusal.tooManyConnections) == 1)
        _ = try Self.session(daemon)
        silent?.send("")
        silent = nil
        #expect(
            becomesTrueBlocking {
                guard let socket = try? PlainSocket(port: port) else { return false }
                socket.send(Self.get("/metrics", port))
                return socket.readHead().hasPrefix("HTTP/1.1 200 ")
            })
    }

    @Test(
        "handshakesPerSecondMax: an upgrade above the limit is answered 503 with Retry-After 1, but plain requests are served"
    )
    func handshakes() throws {
        let daemon = try TestDaemon("limits: { handshakesPerSecondMax: 1 }")
        var refused: [String] = []
        for _ in 0..<4 {
            let socket = try PlainSocket(port: daemon.port)
            socket.send(Self.upgrade(daemon.port))
            let head = socket.readHead()
            if !head.hasPrefix("HTTP/1.1 101 ") { refused.append(head) }
        }
        // A limit of 1 per second has a burst of 2. A slow machine takes longer, so one more
        // upgrade may be admitted.
        #expect((1...2).contains(refused.count))
        #expect(refused.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") })
        #expect(refused.allSatisfy { $0.contains("\r\nretry-after: 1\r\n") })
        #expect(daemon.total.connections.count(of: GateRefusal.tooManyHandshakes) == refused.count)
        let plain = try PlainSocket(port: daemon.port)
        plain.send(Self.get("/healthz", daemon.port))
        #expect(plain.readHead().hasPrefix("HTTP/1.1 200 "))
    }

    @Test(
        "headTimeoutMs: a connection without a whole head is closed and counted; a session is not"
    )
    func slowHeads() throws {
        let daemon = try TestDaemon("limits: { headTimeoutMs: 3000 }")
        let session = try Self.session(daemon)
        let silent = try PlainSocket(port: daemon.port)
        let dripping = try PlainSocket(port: daemon.port)
        // Without the timeout, the request would be completed and answered.
        for byte in Self.get("/healthz", daemon.port).utf8 {
            guard dripping.send(String(UnicodeScalar(byte))) else { break }
            usleep(150_000)
        }
        #expect(silent.readToEnd().isEmpty)
        #expect(dripping.readToEnd().isEmpty)
        #expect(daemon.total.connections.count(of: .headTimeout) == 2)
        session.sendText(#"{"type":"hello","protocol":1}"#)
        #expect(session.readText()?.contains(#""type":"welcome""#) == true)
    }

    @Test("memoryBytesMax: above this limit, no client is admitted, and sessions stay open")
    func memory() throws {
        let daemon = try TestDaemon("limits: { memoryBytesMax: 1 }")
        let socket = try PlainSocket(port: daemon.port)
        socket.send(Self.upgrade(daemon.port))
        let head = socket.readHead()
        #expect(head.hasPrefix("HTTP/1.1 503 "))
        #expect(head.contains("\r\nretry-after: 10\r\n"))
        #expect(socket.readToEnd().contains(#""code":"outOfMemory""#))
        #expect(daemon.total.connections.count(of: GateRefusal.outOfMemory) == 1)
        let plain = try PlainSocket(port: daemon.port)
        plain.send(Self.get("/metrics", daemon.port))
        #expect(plain.readHead().hasPrefix("HTTP/1.1 200 "))
    }

    /// Waits on this thread until the condition is true. Returns false if it does not become true
    /// in time.
    private func becomesTrueBlocking(_ condition: () -> Bool) -> Bool {
        for _ in 0..<6000 * patience {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }
}
