import Cryptography
import Foundation
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Every mode of `auth`, tested with a whole daemon and real sockets.
@Suite("A daemon that authenticates its clients", .ownThread, .limit)
struct ServerAuthTests {
    /// The feeds, and a deadline of a minute for the authentication, because other tests may keep
    /// all threads busy.
    static let feeds = """
        limits: { authDeadlineMs: 60000, helloTimeoutMs: 120000 }
        feeds:
          songs: { backend: script, paging: page, steps: [{ items: [1], more: false }] }
          news: { backend: script, paging: page, steps: [{ items: [2], more: false }] }

        """

    static let tokenMode = """
        auth: { mode: token }
        tokens:
          - { name: anna, sha256: "\(hash("anna's"))", may: [connect], feeds: [songs] }
          - { name: otto, sha256: "\(hash("otto's"))", may: [connect] }
          - { name: backend, sha256: "\(hash("backend's"))", may: [work, change, administer] }

        """

    static func hash(_ token: String) -> String {
        hexadecimal(SHA256.digest(of: Array(token.utf8)))
    }

    static func hello(_ token: String?, more: String = "") -> String {
        let token = token.map { #","token":"\#($0)""# } ?? ""
        return #"{"type":"hello","protocol":1\#(token)\#(more)}"#
    }

    static let attach =
        #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs","#
        + #""geometry":{"viewport":{"width":100,"height":100}}}"#

    /// Returns the daemon's answer to this frame.
    static func firstAnswer(
        _ daemon: TestDaemon, _ frame: String, origin: String? = nil
    ) async throws -> (client: DialedClient, answer: String) {
        let client = try await daemon.connect(origin: origin)
        client.send(frame)
        return (client, await client.receive(within: .patient).text ?? "")
    }

    /// Expects that the client receives the fault and is closed with the code.
    static func expectEnd(
        _ daemon: TestDaemon, _ frame: String, _ fault: FaultCode, _ code: UInt16,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let (client, answer) = try await firstAnswer(daemon, frame)
        #expect(
            answer.contains(#""code":"\#(fault.rawValue)""#), "\(answer)",
            sourceLocation: location)
        #expect(!answer.contains("welcome"), sourceLocation: location)
        let end = await client.receive(within: .patient)
        #expect(
            end == .closed(code: code, reason: fault.rawValue) || ServerTests.code(of: end) == code,
            "\(end)", sourceLocation: location)
        #expect(daemon.total.sessions.count(of: fault) >= 1, sourceLocation: location)
    }

    static func member(_ name: String, of text: String) -> String? {
        let start = text.firstRange(of: "\"\(name)\":\"")?.upperBound
        return start.map { String(text[$0...].prefix { $0 != "\"" }) }
    }

    // MARK: Modes

    @Test("Without authentication, tokens are ignored")
    func none() async throws {
        let daemon = try TestDaemon(Self.feeds + "auth: { mode: none }")
        for token in [nil, "", "anything"] {
            let (_, answer) = try await Self.firstAnswer(daemon, Self.hello(token))
            #expect(answer.contains(#""feeds":["songs","news"]"#))
        }
        let metrics = try await daemon.get("/metrics").body
        #expect(metrics.contains(#"refreshd_auth_total{mode="none",result="admitted"} 3"#))
    }

    @Test("A configured token opens a session with the token's feeds, and no other token does")
    func token() async throws {
        let daemon = try TestDaemon(Self.tokenMode + Self.feeds)
        let (client, answer) = try await Self.firstAnswer(daemon, Self.hello("anna's"))
        #expect(answer.contains(#""feeds":["songs"]"#))
        client.send(Self.attach)
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        client.send(
            Self.attach.replacing("songs", with: "news").replacing(#""list""#, with: #""b""#)
                .replacing(#""seq":1"#, with: #""seq":2"#))
        let forbidden = await client.receive(within: .patient).text ?? ""
        #expect(forbidden.contains(#""code":"forbiddenFeed""#), "\(forbidden)")
        client.send(
            Self.attach.replacing("songs", with: "none").replacing(#""list""#, with: #""c""#)
                .replacing(#""seq":1"#, with: #""seq":3"#))
        let unknown = await client.receive(within: .patient).text ?? ""
        #expect(unknown.contains(#""code":"unknownFeed""#), "\(unknown)")
        let (_, all) = try await Self.firstAnswer(daemon, Self.hello("otto's"))
        #expect(all.contains(#""feeds":["songs","news"]"#))
        for token in [nil, "", "anna", "backend's"] {
            try await Self.expectEnd(daemon, Self.hello(token), .unauthorized, 4004)
        }
        let metrics = try await daemon.get("/metrics").body
        #expect(metrics.contains(#"refreshd_auth_total{mode="token",result="admitted"} 2"#))
        #expect(metrics.contains(#"refreshd_auth_total{mode="token",result="refused"} 4"#))
    }

    @Test("Messages that follow a refused `hello` are not handled")
    func behindRefusal() async throws {
        let daemon = try TestDaemon(Self.tokenMode + Self.feeds)
        let batch = "[\(Self.hello("wrong")),\(Self.attach)]"
        try await Self.expectEnd(daemon, batch, .unauthorized, 4004)
        #expect(daemon.total.sessions.viewsAttached == 0)
    }

    /// Returns a daemon that accepts ES256 tokens and uses the system's clock.
    private static func webTokenDaemon(
        _ file: TemporaryFile, more: String = "", log: DaemonLog = .silent
    ) throws -> TestDaemon {
        try TestDaemon(
            """
            auth: { mode: jwt, algorithms: [ES256], jwks: \(file.path), audience: lists, skewMs: 0 }
            \(feeds)\(more)
            """, log: log)
    }

    static func webToken(
        _ subject: String = "anna", forMs: Double = 60_000, feeds: String = ""
    ) async throws -> String {
        let expires = Date().timeIntervalSince1970 + forMs / 1000
        return try await TokenMint.token(
            #"{"alg":"ES256","kid":"ec-1"}"#,
            #"{"sub":"\#(subject)","aud":"lists","exp":\#(expires)\#(feeds)}"#,
            by: .p256(TokenMint.p256))
    }

    @Test("Messages after a `hello` with a JSON Web Token wait for the verdict, and stay in order")
    func webToken() async throws {
        let file = try TemporaryFile("keys.json", TokenMint.keySet())
        let daemon = try Self.webTokenDaemon(file)
        let token = try await Self.webToken(feeds: #","feeds":["songs"]"#)
        let client = try await daemon.connect()
        client.send("[\(Self.hello(token)),\(Self.attach)]")
        client.send(#"{"type":"ping","t":7}"#)
        var answer = ""
        while !answer.contains("pong") {
            answer += try #require(await client.receive(within: .patient).text)
        }
        let order = ["welcome", "attached", "pong"].map { answer.firstRange(of: $0)?.lowerBound }
        #expect(order.allSatisfy { $0 != nil })
        #expect(order.compactMap { $0 } == order.compactMap { $0 }.sorted())
        #expect(answer.contains(#""feeds":["songs"]"#))
        for bad in [nil, "x", token.dropLast(4) + "AAAA"] as [String?] {
            try await Self.expectEnd(daemon, Self.hello(bad), .unauthorized, 4004)
        }
    }

    @Test("When a token expires, its session is closed with 4200 and resumes with a new token")
    func expiry() async throws {
        let file = try TemporaryFile("keys.json", TokenMint.keySet())
        let daemon = try Self.webTokenDaemon(file)
        // On a slow machine the token may expire before the client is connected. The loop then uses
        // a token with a longer lifetime.
        var (lifetimeMs, client, welcome): (Double, DialedClient?, String) = (1200, nil, "")
        while !welcome.contains("welcome"), lifetimeMs < 100_000 {
            let short = try await Self.webToken(forMs: lifetimeMs)
            (client, welcome) = try await Self.firstAnswer(
                daemon, Self.hello(short, more: #","views":[\#(Self.attach)]"#))
            lifetimeMs *= 3
        }
        let session = try #require(Self.member("session", of: welcome))
        let resume = try #require(Self.member("token", of: welcome))
        var received = ""
        var end: UInt16?
        while end == nil {
            let event = try #require(await client?.receive(within: .patient))
            received += event.text ?? ""
            end = ServerTests.code(of: event)
            if event == .timedOut { break }
        }
        #expect(received.contains(#""code":"tokenExpired""#))
        #expect(end == 4200)
        let more =
            #","resume":{"session":"\#(session)","token":"\#(resume)","ack":1,"received":[]}"#
        let other = try await Self.webToken("otto")
        let (_, foreign) = try await Self.firstAnswer(daemon, Self.hello(other, more: more))
        #expect(foreign.contains(#""reason":"otherSubject""#), "\(foreign)")
        let narrow = try await Self.webToken(feeds: #","feeds":["news"]"#)
        let (_, less) = try await Self.firstAnswer(daemon, Self.hello(narrow, more: more))
        #expect(less.contains(#""reason":"changedConfiguration""#), "\(less)")
        let fresh = try await Self.webToken(feeds: #","feeds":["songs"]"#)
        let (_, resumed) = try await Self.firstAnswer(daemon, Self.hello(fresh, more: more))
        #expect(resumed.contains(#""resumed":true"#), "\(resumed)")
        #expect(resumed.contains(#""session":"\#(session)""#))
        #expect(resumed.contains(#""feeds":["songs"]"#))
    }

    @Test("The service receives the data of the upgrade and decides whether the client is admitted")
    func service() async throws {
        let server = try LocalServer { exchange in
            let body = String(decoding: exchange.body, as: UTF8.self)
            let isAnna = body.contains(#""token":"anna's""#)
            exchange.reply(
                200,
                isAnna
                    ? #"{"allow":true,"subject":"anna","feeds":["news"]}"# : #"{"allow":false}"#)
        }
        let daemon = try TestDaemon(
            Self.feeds
                + "origins: [https://app.example.org]\n"
                + "auth: { mode: http, deadlineMs: 60000, url: \"\(server.url)/who\", "
                + "forward: [sec-websocket-version] }"
        )
        let (_, answer) = try await Self.firstAnswer(
            daemon, Self.hello("anna's", more: #","client":"t/1""#),
            origin: "https://app.example.org")
        #expect(answer.contains(#""feeds":["news"]"#), "\(answer)")
        #expect(
            server.bodies == [
                #"{"token":"anna's","client":"t/1","peer":"127.0.0.1","#
                    + #""origin":"https://app.example.org","headers":{"sec-websocket-version":"13"}}"#
            ])
        try await Self.expectEnd(daemon, Self.hello("otto's"), .unauthorized, 4004)
        let metrics = try await daemon.get("/metrics").body
        #expect(metrics.contains(#"refreshd_auth_total{mode="http",result="admitted"} 1"#))
        #expect(metrics.contains("refreshd_auth_duration_seconds_count 2"))
    }

    @Test(
        "The service receives the listed headers of an upgrade, and its answer limits the session"
    )
    func cookie() async throws {
        let server = try LocalServer { exchange in
            exchange.reply(200, #"{"allow":true,"subject":"anna","expiresInMs":700}"#)
        }
        for (forward, headers) in [
            ("", ""),
            (", forward: [cookie]", #","headers":{"cookie":"sid=5f; other=1"}"#),
        ] {
            let daemon = try TestDaemon(
                Self.feeds
                    + "auth: { mode: http, deadlineMs: 60000, url: \"\(server.url)/who\"\(forward) }"
            )
            let socket = try PlainSocket(port: daemon.port)
            socket.send(
                "GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n"
                    + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: sid=5f; other=1\r\n"
                    + "X-Private: nobody's business\r\nAuthorization: Bearer kept\r\n\r\n")
            #expect(socket.readHead().hasPrefix("HTTP/1.1 101 "))
            socket.sendText(Self.hello("anna's"))
            #expect(socket.readText()?.contains(#""type":"welcome""#) == true)
            #expect(
                server.bodies.last == #"{"token":"anna's","peer":"127.0.0.1"\#(headers)}"#)
            var last = ""
            while !last.contains("tokenExpired"), let text = socket.readText() { last = text }
            #expect(last.contains(#""code":"tokenExpired""#))
            #expect(daemon.total.sessions.count(of: FaultCode.tokenExpired) == 1)
        }
    }

    @Test("While the service is down, no client is admitted, and existing sessions continue")
    func serviceDown() async throws {
        let isUp = Mutex(true)
        let server = try LocalServer { exchange in
            guard isUp.withLock({ $0 }) else { return exchange.reply(500, "canary") }
            exchange.reply(200, #"{"allow":true,"subject":"anna"}"#)
        }
        let daemon = try TestDaemon(
            Self.feeds + "auth: { mode: http, url: \"\(server.url)\", deadlineMs: 10000 }")
        let (client, _) = try await Self.firstAnswer(daemon, Self.hello("x"))
        isUp.withLock { $0 = false }
        try await Self.expectEnd(daemon, Self.hello("x"), .authUnavailable, 4103)
        client.send(#"{"type":"ping","t":1}"#)
        #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        isUp.withLock { $0 = true }
        let (_, answer) = try await Self.firstAnswer(daemon, Self.hello("x"))
        #expect(answer.contains("welcome"))
    }

    @Test("A silent service delays the client until the deadline, and does not block the loop")
    func serviceHangs() async throws {
        let server = try LocalServer { $0.waitForHangUp() }
        let daemon = try TestDaemon(
            Self.feeds + "auth: { mode: http, url: \"\(server.url)\", deadlineMs: 300 }", loops: 1)
        let waiting = try await daemon.connect()
        waiting.send(Self.hello("x"))
        // The loop serves other requests in the meantime.
        #expect(try await daemon.get("/healthz").status == 200)
        let fault = await waiting.receive(within: .patient).text ?? ""
        #expect(fault.contains("authUnavailable"), "\(fault)")
        #expect(ServerTests.code(of: await waiting.receive(within: .patient)) == 4103)
        // A client that disconnects before the answer leaves nothing behind.
        let gone = try await daemon.connect()
        gone.send(Self.hello("x"))
        #expect(try await daemon.until { $0.sessions.messagesReceived >= 2 })
        gone.terminate()
        #expect(try await daemon.until { $0.sessions.sessions == 0 })
    }
}
