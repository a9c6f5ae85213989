import Glibc
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Limits per address, tested with a whole daemon and real sockets.
@Suite("Limits per address", .ownThread, .limit)
struct ShareTests {
    static func upgrade(_ port: UInt16, _ lines: String = "") -> String {
        "GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(lines)\r\n"
    }

    private static func connected(_ daemon: TestDaemon) throws -> PlainSocket {
        let socket = try PlainSocket(port: daemon.port)
        socket.send(upgrade(daemon.port))
        #expect(socket.readHead().hasPrefix("HTTP/1.1 101 "))
        return socket
    }

    @Test(
        "sessionsMax: a connection without `hello` takes no place, and a session above the limit is refused until one ends"
    )
    func places() throws {
        let daemon = try TestDaemon("limits: { sessionsMax: 2 }", loops: 1)
        var silent: [PlainSocket?] = try (0..<8).map { _ in try Self.connected(daemon) }
        #expect(daemon.server.parts.admissionState.places == 0)
        let hello = #"{"type":"hello","protocol":1}"#
        for socket in silent[..<2] {
            socket?.sendText(hello)
            #expect(socket?.readText()?.contains(#""type":"welcome""#) == true)
        }
        #expect(daemon.server.parts.admissionState.places == 2)
        silent[2]?.sendText(hello)
        #expect(silent[2]?.readText()?.contains(#""code":"tooManySessions""#) == true)
        #expect(daemon.total.sessions.count(of: FaultCode.tooManySessions) == 1)
        // From now on, an upgrade is admitted only because its client may resume a session.
        let late = try Self.connected(daemon)
        late.sendText(hello)
        #expect(late.readText()?.contains(#""code":"tooManySessions""#) == true)
        #expect(daemon.server.parts.admissionState.places == 2)
        silent[0] = nil
        #expect(becomesTrue { daemon.server.parts.admissionState.places == 1 })
        silent[3]?.sendText(hello)
        #expect(silent[3]?.readText()?.contains(#""type":"welcome""#) == true)
        let page = try PlainSocket(port: daemon.port)
        page.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n\r\n")
        #expect(page.readBody().contains("\nrefreshd_session_places 2\n"))
    }

    @Test(
        "While all places are taken, an address may have 8 silent connections, and other addresses can still resume"
    )
    func silence() throws {
        let daemon = try TestDaemon(
            "limits: { sessionsMax: 1, helloTimeoutMs: 60000 }\nproxies: [127.0.0.1]\nauth: { mode: none }",
            loops: 1)
        func connect(_ address: String) throws -> PlainSocket? {
            let socket = try PlainSocket(port: daemon.port)
            socket.send(Self.upgrade(daemon.port, "X-Forwarded-For: \(address)\r\n"))
            let head = socket.readHead()
            if head.hasPrefix("HTTP/1.1 101 ") { return socket }
            #expect(head.hasPrefix("HTTP/1.1 503 ") && head.contains("\r\nretry-after: 5\r\n"))
            #expect(socket.readBody().contains(#""code":"tooManySessions""#))
            return nil
        }
        let owner = try #require(try connect("192.0.2.1"))
        owner.sendText(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default"}]}"#)
        let frame = try JSONValue(parsing: #require(owner.readText()))
        let welcome = try #require(frame.array?.first)
        var silent = try (0..<8).map { _ in try connect("192.0.2.9") }
        #expect(silent.allSatisfy { $0 != nil })
        #expect(try connect("192.0.2.9") == nil)
        // Only this address has reached its limit.
        let back = try #require(try connect("192.0.2.1"))
        back.sendText(
            #"{"type":"hello","protocol":1,"resume":{"session":"\#(welcome["session"]?.string ?? "")","#
                + #""token":"\#(welcome["token"]?.string ?? "")"}}"#)
        #expect(back.readText()?.contains(#""resumed":true"#) == true)
        // The end of a connection frees a place for another one.
        silent[0] = nil
        #expect(
            becomesTrue {
                daemon.server.parts.admissionState.unadmittedConnections(
                    of: PeerNetwork("192.0.2.9")) == 7
            })
        let next = try connect("192.0.2.9")
        #expect(next != nil)
        silent = []
        #expect(
            becomesTrue {
                daemon.server.parts.admissionState.unadmittedConnections(
                    of: PeerNetwork("192.0.2.9")) == 1
            })
        #expect(
            daemon.server.parts.admissionState.unadmittedConnections(of: PeerNetwork("192.0.2.1"))
                == 0)
    }

    @Test("sessionsPerSubjectMax: a further session of a subject is refused until one ends")
    func subjects() throws {
        let daemon = try TestDaemon(
            """
            auth: { mode: token }
            tokens: [{ name: anna, sha256: \(ServerAuthTests.hash("a")), may: [connect] },
              { name: bert, sha256: \(ServerAuthTests.hash("b")), may: [connect] }]
            limits: { sessionsPerSubjectMax: 2 }
            """, loops: 2)
        func greet(_ token: String, _ more: String = "") throws -> (PlainSocket, String) {
            let socket = try Self.connected(daemon)
            socket.sendText(#"{"type":"hello","protocol":1,"token":"\#(token)"\#(more)}"#)
            return (socket, socket.readText() ?? "")
        }
        let first = try greet("a", #","views":[{"view":"list","profile":"default"}]"#)
        var second: (PlainSocket, String)? = try greet("a")
        #expect(second?.1.contains(#""type":"welcome""#) == true)
        #expect(try greet("a").1.contains(#""code":"tooManySessions""#))
        #expect(try greet("b").1.contains(#""type":"welcome""#))
        // A client that resumes takes the place of its old connection.
        let welcome = try #require(try JSONValue(parsing: first.1).array?.first)
        let resume =
            #","resume":{"session":"\#(welcome["session"]?.string ?? "")","#
            + #""token":"\#(welcome["token"]?.string ?? "")"}"#
        let back = try greet("a", resume)
        #expect(back.1.contains(#""resumed":true"#))
        #expect(try greet("a").1.contains(#""code":"tooManySessions""#))
        // A client that asks for a connected session with a wrong token gets no further one.
        let wrong =
            #","resume":{"session":"\#(welcome["session"]?.string ?? "")","#
            + #""token":"AAAAAAAAAAAAAAAAAAAAAA"}"#
        #expect(try greet("a", wrong).1.contains(#""code":"tooManySessions""#))
        second = nil
        #expect(becomesTrue { (try? greet("a").1.contains(#""type":"welcome""#)) == true })
    }

    @Test("A resumed session occupies one place, and releases the place at its end")
    func resumes() throws {
        let daemon = try TestDaemon("limits: { sessionsMax: 1 }", loops: 1)
        for _ in 0..<3 {
            var socket: PlainSocket? = try Self.connected(daemon)
            socket?.sendText(
                #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default"}]}"#)
            let frame = try JSONValue(parsing: #require(socket?.readText()))
            let welcome = try #require(frame.array?.first)
            let session = try #require(welcome["session"]?.string)
            let token = try #require(welcome["token"]?.string)
            socket = nil
            #expect(becomesTrue { daemon.server.parts.admissionState.places == 0 })
            socket = try Self.connected(daemon)
            socket?.sendText(
                #"{"type":"hello","protocol":1,"resume":{"session":"\#(session)","token":"\#(token)"}}"#
            )
            #expect(socket?.readText()?.contains(#""resumed":true"#) == true)
            #expect(daemon.server.parts.admissionState.places == 1)
            socket = nil
            #expect(becomesTrue { daemon.server.parts.admissionState.places == 0 })
        }
    }

    @Test("Each address behind a proxy has its own rate of handshakes")
    func handshakes() throws {
        let daemon = try TestDaemon(
            "limits: { handshakesPerAddressMax: 1 }\nproxies: [127.0.0.1]\nauth: { mode: none }")
        func status(_ address: String) throws -> String {
            let socket = try PlainSocket(port: daemon.port)
            socket.send(Self.upgrade(daemon.port, "X-Forwarded-For: \(address)\r\n"))
            return String(socket.readHead().dropFirst(9).prefix(3))
        }
        let first = try (0..<5).map { _ in try status("192.0.2.1") }
        // A limit of 1 per second has a burst of 2. A slow machine takes longer, so one more
        // upgrade may be admitted.
        #expect(first.count { $0 == "503" } >= 2 && first.prefix(2) == ["101", "101"])
        #expect(try status("192.0.2.2") == "101")
    }

    @Test("Frames that arrive after the end of a session are counted and ignored")
    func voidFrames() throws {
        let daemon = try TestDaemon(loops: 1)
        let socket = try Self.connected(daemon)
        let texts =
            [#"{"type":"hello","protocol":1}"#, #"{"type":"bye"}"#]
            + Array(repeating: #"{"type":"ping","t":1}"#, count: 5)
        socket.send(texts.flatMap { PlainSocket.frame($0) })
        #expect(!socket.readToEnd().contains("pong"))
        #expect(daemon.total.sessions.voidFrames == 5)
        #expect(daemon.total.sessions.messagesReceived == 2)
    }

    @Test(
        "Fragments and pongs above twice framesPerSecondMax close a session with 4104",
        arguments: [true, false])
    func fragmentRateLimit(_ isFragment: Bool) throws {
        let daemon = try TestDaemon("limits: { framesPerSecondMax: 50 }", loops: 1)
        let loose: [UInt8] = isFragment ? [0x00, 0x80, 0, 0, 0, 0] : [0x8A, 0x81, 0, 0, 0, 0, 1]
        let begun: [UInt8] = isFragment ? [0x01, 0x80, 0, 0, 0, 0] : []
        let socket = try Self.connected(daemon)
        socket.sendText(#"{"type":"hello","protocol":1}"#)
        #expect(socket.readText()?.contains(#""type":"welcome""#) == true)
        // At the limit, no fault occurs.
        socket.send(begun + Array(repeating: loose, count: 99).joined())
        if isFragment { socket.send(PlainSocket.frame(" ").replacingFirst(with: 0x80)) }
        socket.sendText(#"{"type":"ping","t":7}"#)
        var received = ""
        while !received.contains("pong"), let text = socket.readText() { received += text }
        #expect(received.contains("pong"))
        // On a slow machine, a part of the budget recovers in the meantime.
        socket.send(begun + Array(repeating: loose, count: 2000).joined())
        #expect(socket.readToEnd().contains("tooManyFrames"))
        #expect(daemon.total.sessions.count(of: FaultCode.tooManyFrames) == 1)
        #expect(daemon.total.connections.count(of: MessageBreach.tooManyFrames) == 1)
    }

    /// Waits on this thread until the condition is true. Returns false if it does not become true
    /// in time.
    private func becomesTrue(_ condition: () -> Bool) -> Bool {
        for _ in 0..<6000 * patience {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }
}

extension [UInt8] {
    fileprivate func replacingFirst(with byte: UInt8) -> [UInt8] { [byte] + dropFirst() }
}
