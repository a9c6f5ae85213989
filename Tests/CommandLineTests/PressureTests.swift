import Foundation
import Testing
import Workbench

/// A daemon that has reached its limit of open files. It runs as a separate process, because this
/// limit applies to a whole process.
@Suite("Shortage of descriptors", .ownThread, .limit)
struct PressureTests {
    private static func port(_ daemon: RunningDaemon) throws -> UInt16 {
        let line = try #require(daemon.firstLine())
        let place = try #require(line.range(of: #""port":"#))
        return try #require(UInt16(line[place.upperBound...].prefix { $0.isNumber }))
    }

    private static func get(_ port: UInt16) -> String {
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    }

    private static func upgrade(_ port: UInt16) -> String {
        "GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    }

    /// Sends a request on a new connection. Only the daemon may close this connection.
    private static func newConnection(_ port: UInt16) throws -> (socket: PlainSocket, head: String)
    {
        let socket = try PlainSocket(port: port)
        socket.send(get(port))
        return (socket, socket.readHead())
    }

    private static func isShed(_ newConnection: (socket: PlainSocket, head: String)) -> Bool {
        guard newConnection.head.hasPrefix("HTTP/1.1 503 ") else { return false }
        #expect(newConnection.head.contains("\r\nretry-after: 5\r\n"))
        #expect(
            newConnection.socket.readToEnd()
                == #"{"code":"outOfFiles","#
                + #""message":"The daemon has reached its limit of open files."}"#
        )
        return true
    }

    private static func isServed(_ newConnection: (socket: PlainSocket, head: String)) -> Bool {
        newConnection.head.hasPrefix("HTTP/1.1 200 ")
            && newConnection.socket.readBody(bytes: 3) == "ok\n"
    }

    // Descriptors become free at random moments, so the served connections differ between runs. In
    // every run, a new connection is served or refused, and open connections stay open.
    @Test(
        "Without free descriptors, a new connection is served or refused, open connections stay open, and the daemon does not spin",
        arguments: [60, 120])
    func files(_ openFilesMax: Int) async throws {
        let configuration = try Refreshd.configuration("limits: { headTimeoutMs: 600000 }\n")
        defer { try? FileManager.default.removeItem(at: configuration) }
        let daemon = try RunningDaemon(
            ["--listen", "127.0.0.1:0", "--loops", "2", "--config", configuration.path],
            openFilesMax: openFilesMax)
        let port = try Self.port(daemon)
        let session = try PlainSocket(port: port)
        session.send(Self.upgrade(port))
        #expect(session.readHead().hasPrefix("HTTP/1.1 101 "))

        // There are more connections than the daemon has descriptors.
        var held: [PlainSocket] = []
        var shed = 0
        for _ in 0..<openFilesMax + 20 {
            let newConnection = try Self.newConnection(port)
            if Self.isShed(newConnection) {
                shed += 1
            } else {
                #expect(Self.isServed(newConnection), "\(newConnection.head)")
                held.append(newConnection.socket)
            }
        }
        // At least 20 connections are refused, because there is no descriptor for them.
        #expect(shed >= 20)
        #expect(held.count > openFilesMax / 10)

        // The open connections still work.
        session.sendText(#"{"type":"hello","protocol":1}"#)
        #expect(session.readText()?.contains(#""type":"welcome""#) == true)
        for socket in held {
            socket.send(Self.get(port))
            #expect(socket.readHead().hasPrefix("HTTP/1.1 200 "))
            #expect(socket.readBody(bytes: 3) == "ok\n")
        }

        // Without new connections, the daemon is idle.
        #expect(daemon.fallsAsleep())

        // Some time passes until the daemon notices that the connections are closed.
        held.removeAll()
        var isServed = false
        for _ in 0..<6000 * patience where !isServed {
            let newConnection = try Self.newConnection(port)
            if Self.isShed(newConnection) {
                shed += 1
                usleep(10_000)
            } else {
                isServed = Self.isServed(newConnection)
                try #require(isServed, "\(newConnection.head)")
            }
        }
        #expect(isServed)
        // The metric can be larger than `shed`: if two event loops find the same waiting
        // connection, both count it.
        #expect(try await Self.countedForFiles(port) >= shed)
        session.sendText(#"{"type":"ping","t":1}"#)
        #expect(session.readText()?.contains(#""type":"pong""#) == true)
    }

    private static func countedForFiles(_ port: UInt16) async throws -> Int {
        // While there are too few descriptors, the daemon answers this request with 503 too.
        var page = ""
        _ = try await becomesTrue {
            let metrics = try PlainSocket(port: port)
            metrics.send(
                "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            page = metrics.readToEnd()
            return page.hasPrefix("HTTP/1.1 200 ")
        }
        let counted = page.split(separator: "\r\n").joined().split(separator: "\n")
            .first { $0.hasPrefix(#"refreshd_accept_failures_total{reason="files"}"#) }
        return try #require(counted?.split(separator: " ").last.flatMap { Int($0) })
    }
}
