import Dispatch
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct DialerTests {
    @Test("A dialer's connection transfers text and binary messages, and closes with a code")
    func conversation() async throws {
        let closed = Recorder<Int>()
        let server = try TestServer { script in script.closed = { closed.record($0.tag) } }
        let dialer = try Dialer()
        let client = try await dialer.connect(server.url)
        client.send("héllo")
        #expect(await client.receive(within: .patient).text == "héllo")
        client.send([1, 2, 255], isBinary: true)
        #expect(
            await client.receive(within: .patient) == .message([1, 2, 255], isBinary: true))
        let long = [UInt8](repeating: 97, count: 60_000)
        client.send(long, isBinary: false)
        #expect(await client.receive(within: .patient) == .message(long, isBinary: false))
        client.close(code: 4_000, reason: "done")
        #expect(
            await client.receive(within: .patient) == .closed(code: 4_000, reason: "done"))
        #expect(closed.waitUntil { $0 == [7] })
        dialer.stop()
    }

    @Test("A URL may contain an IPv6 address, which is then in the Host header")
    func addressLiteral() async throws {
        let hosts = Recorder<String>()
        let server = try TestServer(host: "::1") { script in
            script.admit = { request in
                hosts.record(request.host ?? "")
                return .accept(messageBytesMax: 1024, tag: 7)
            }
        }
        #expect(server.url.hasPrefix("ws://[::1]:"))
        let dialer = try Dialer()
        let client = try await dialer.connect(server.url)
        client.send("hello")
        #expect(await client.receive(within: .patient).text == "hello")
        #expect(hosts.all == ["[::1]:\(server.port)"])
        dialer.stop()
    }

    @Test("The server's close code and reason are received after the last message")
    func serverCloses() async throws {
        let server = try TestServer { script in
            script.received = { bytes, isBinary, connection in
                connection.enqueue(bytes, isBinary: isBinary)
                connection.close(code: 4_101, reason: "slow")
            }
        }
        let dialer = try Dialer()
        let client = try await dialer.connect(server.url, subprotocol: nil)
        client.send("last")
        #expect(await client.receive(within: .patient).text == "last")
        for _ in 0..<2 {
            #expect(
                await client.receive(within: .patient) == .closed(code: 4_101, reason: "slow"))
        }
        dialer.stop()
    }

    @Test("A wait for a message ends at its time limit, and the next wait gets the message")
    func deadline() async throws {
        let server = try TestServer()
        let dialer = try Dialer()
        let client = try await dialer.connect(server.url)
        #expect(await client.receive(within: .milliseconds(20)) == .timedOut)
        client.send("late")
        #expect(await client.receive(within: .patient).text == "late")
        dialer.stop()
    }

    @Test("A refusal is reported with its status; Origin and subprotocol are sent as given")
    func refused() async throws {
        let seen = Recorder<UpgradeRequest>()
        let server = try TestServer { script in
            script.admit = {
                seen.record($0)
                return .refuse(.fault(status: 403, code: "origin", message: "No."))
            }
        }
        let dialer = try Dialer()
        await #expect(throws: DialFailure.refused(status: 403)) {
            try await dialer.connect(server.url, origin: "http://evil.example")
        }
        await #expect(throws: DialFailure.refused(status: 403)) {
            try await dialer.connect("\(server.url)?a=1", subprotocol: nil)
        }
        #expect(seen.all.map(\.origin) == ["http://evil.example", nil])
        #expect(seen.all.map(\.subprotocols) == [["refresh.v1"], []])
        #expect(seen.all.map(\.query) == ["", "a=1"])
        #expect(seen.all.first?.host == "127.0.0.1:\(server.port)")
        dialer.stop()
    }

    @Test("An absent server, an invalid URL and a silent server are reported differently")
    func failures() async throws {
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        let dialer = try Dialer()
        await #expect(throws: DialFailure.timedOut) {
            try await dialer.connect("ws://127.0.0.1:\(socket.port)/", within: .milliseconds(50))
        }
        socket.close()
        await #expect(throws: DialFailure.urlInvalid("http://x")) {
            try await dialer.connect("http://x")
        }
        do {
            _ = try await dialer.connect("ws://127.0.0.1:\(socket.port)/")
            Issue.record("a connection to an absent server succeeded")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
        dialer.stop()
    }

    @Test("A server that hangs up during the handshake is reported", arguments: HangUp.allCases)
    func hangsUp(_ hangUp: HangUp) throws {
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        let rounds = 20
        let accepted = Recorder<Bool>()
        DispatchQueue.global().async {
            for _ in 0..<rounds { accepted.record(hangUp.acceptOne(from: socket)) }
            socket.close()
        }
        let dialer = try Dialer()
        for _ in 0..<rounds {
            do {
                _ = try dialer.connectBlocking(
                    "ws://127.0.0.1:\(socket.port)/", within: .patient)
                Issue.record("a connection succeeded that the server closed in the handshake")
            } catch {
                guard case .unreachable = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        #expect(accepted.waitUntil { $0.count == rounds })
        #expect(!accepted.all.contains(false))
        dialer.stop()
    }

    @Test("A thread outside of Swift concurrency can use many connections, also over IPv6")
    func blocking() throws {
        let server = try TestServer(host: "::1")
        let dialer = try Dialer()
        let clients = try (0..<20).map { _ in try dialer.connectBlocking(server.url) }
        for (number, client) in clients.enumerated() { client.send("\(number)") }
        for (number, client) in clients.enumerated() {
            #expect(client.receiveBlocking(within: .patient).text == "\(number)")
        }
        clients[0].terminate()
        #expect(
            clients[0].receiveBlocking(within: .patient) == .closed(code: 1_006, reason: ""))
        dialer.stop()
        #expect(
            clients[1].receiveBlocking(within: .patient)
                == .closed(code: 1_006, reason: "the dialer stopped"))
    }

    @Test(
        "A ws or wss URL is parsed into its parts",
        arguments: [
            ("ws://h", "h", 80, "/"), ("ws://h:8080/a/b?c=d", "h", 8_080, "/a/b?c=d"),
            ("ws://[::1]:9/x", "::1", 9, "/x"), ("ws://[::1]", "::1", 80, "/"),
            ("ws://h?q", "h", 80, "/?q"),
        ] as [(String, String, UInt16, String)])
    func urls(_ url: String, _ host: String, _ port: UInt16, _ path: String) throws {
        let target = try #require(DialTarget(url: url))
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
    }

    @Test(
        "A text that is not a ws or wss URL is refused",
        arguments: [
            "", "ws://", "https://h", "ws://h:0", "ws://h:99999", "ws://h:x", "ws://[::1",
            "ws://a:b:c",
        ])
    func noURLs(_ url: String) {
        #expect(DialTarget(url: url) == nil)
    }
}
