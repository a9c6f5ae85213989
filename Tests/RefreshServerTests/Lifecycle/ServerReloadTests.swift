import Foundation
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("A reload with open sessions", .ownThread, .limit)
struct ServerReloadTests {
    private static let script = "paging: page, size: 2, steps: [{ generate: 4 }]"
    /// The configuration differs from `second` in a limit and in its feeds.
    private static let first =
        "limits: { viewsPerSessionMax: 1 }\nfeeds: { a: { backend: script, \(script) } }"
    private static let second =
        "limits: { viewsPerSessionMax: 2 }\nfeeds: { b: { backend: script, \(script) } }"

    private static func configuration(_ yaml: String) throws -> Configuration {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        let file = try ConfigurationFile(text: yaml, path: "refreshd.yaml")
        return try Configuration(flags: flags, file: file)
    }

    private static func attach(_ view: String, _ feed: String, seq: Int) -> String {
        #"{"type":"attach","seq":\#(seq),"view":"\#(view)","profile":"default","feed":"\#(feed)"}"#
    }

    /// Returns the answer that contains `mark`, whatever other messages come before.
    private static func answer(
        to text: String, of client: DialedClient, until mark: String
    ) async throws -> String {
        client.send(text)
        for _ in 0..<200 {
            guard let received = await client.receive(within: .patient).text else { break }
            if received.contains(mark) { return received }
        }
        Issue.record("no answer to \(text) contains \(mark)")
        return ""
    }

    @Test("An event of a stream of changes reaches the views, and a reload ends the stream")
    func changeStream() async throws {
        let hasHungUp = Mutex(false)
        let attaching = DispatchSemaphore(value: 0)
        defer { attaching.signal() }
        let server = try LocalServer { exchange in
            guard exchange.target == "/changes" else { return exchange.reply(200, "[]") }
            exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            attaching.wait()
            exchange.send("data: {\"count\":2}\n\n")
            exchange.waitForHangUp()
            hasHungUp.withLock { $0 = true }
        }
        func yaml(_ changes: String) -> String {
            "feeds: { a: { backend: http, url: \"\(server.url)/\", paging: page\(changes) } }"
        }
        let daemon = try TestDaemon(yaml(", changes: { url: \"\(server.url)/changes\" }"))
        let client = try await daemon.greeted()
        _ = try await Self.answer(
            to: Self.attach("one", "a", seq: 1), of: client, until: #""attached""#)
        attaching.signal()
        _ = try await Self.answer(
            to: #"{"type":"ping","t":1}"#, of: client, until: #""newer":true"#)
        try daemon.server.reload(Self.configuration(yaml("")))
        #expect(await becomesTrue { hasHungUp.withLock { $0 } })
    }

    @Test("After a reload, an open session can attach new feeds and has the new limits")
    func openSession() async throws {
        let daemon = try TestDaemon(Self.first)
        let client = try await daemon.greeted()
        client.send(Self.attach("one", "a", seq: 1))
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        client.send(Self.attach("two", "a", seq: 2))
        #expect(await client.receive(within: .patient).text?.contains("tooManyViews") == true)
        try daemon.server.reload(Self.configuration(Self.second))
        #expect(daemon.server.configuration.limits.viewsPerSessionMax == 2)
        // The reload has posted a job to the loop. The loop runs this job before it reads this
        // message.
        _ = try await Self.answer(to: #"{"type":"ping","t":1}"#, of: client, until: "pong")
        client.send(Self.attach("gone", "a", seq: 3))
        #expect(await client.receive(within: .patient).text?.contains("unknownFeed") == true)
        client.send(Self.attach("two", "b", seq: 4))
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        #expect(daemon.total.sessions.sessions == 1)
        #expect(daemon.total.sessions.sessionsClosed == 0)
    }

    @Test(
        "New limits of connections and handshakes per address apply to later connections")
    func addressBounds() throws {
        func yaml(connections: Int, handshakes: Int) -> String {
            "limits: { helloTimeoutMs: 60000, connectionsPerAddressMax: \(connections), "
                + "handshakesPerAddressMax: \(handshakes) }"
        }
        let daemon = try TestDaemon(yaml(connections: 2, handshakes: 1000))
        var open: [PlainSocket] = []
        func requestStatus() throws -> String {
            let socket = try PlainSocket(port: daemon.port)
            socket.send(ShareTests.upgrade(daemon.port))
            let status = String(socket.readHead().dropFirst(9).prefix(3))
            if status == "101" { open.append(socket) }
            return status
        }
        #expect(try (0..<3).map { _ in try requestStatus() } == ["101", "101", "503"])
        try daemon.server.reload(Self.configuration(yaml(connections: 3, handshakes: 1000)))
        // After its socket is closed, a refused connection takes no place.
        #expect(try (0..<2).map { _ in try requestStatus() } == ["101", "503"])
        #expect(daemon.total.connections.count(of: GateRefusal.tooManyHandshakes) == 0)
        try daemon.server.reload(Self.configuration(yaml(connections: 1000, handshakes: 1)))
        let few = try (0..<12).map { _ in try requestStatus() }
        // A limit of 1 per second has a burst of 2. A slow machine takes longer, so further
        // upgrades may be admitted.
        #expect(few.prefix(2) == ["101", "101"] && few.contains("503"), "\(few)")
        #expect(
            daemon.total.connections.count(of: GateRefusal.tooManyHandshakes)
                == few.count { $0 == "503" })
        try daemon.server.reload(Self.configuration(yaml(connections: 1000, handshakes: 1000)))
        #expect(try (0..<12).allSatisfy { _ in try requestStatus() == "101" })
        // Open connections stay open, even if the new limit is lower.
        try daemon.server.reload(Self.configuration(yaml(connections: 1, handshakes: 1000)))
        #expect(try requestStatus() == "503")
        for socket in open {
            socket.sendText(#"{"type":"hello","protocol":1}"#)
            #expect(socket.readText()?.contains(#""type":"welcome""#) == true)
        }
    }

    @Test("If a reload makes memory short, some detached sessions end, although no client connects")
    func shortMemory() async throws {
        let first = Self.first.replacing("limits: { ", with: "limits: { resumeWindowMs: 600000, ")
        let daemon = try TestDaemon(first)
        for _ in 0..<100 {
            let client = try await daemon.greeted()
            client.send(Self.attach("one", "a", seq: 1))
            #expect(await client.receive(within: .patient).text?.contains("attached") == true)
            client.terminate()
        }
        #expect(try await daemon.until { $0.sessions.detached == 100 })
        try daemon.server.reload(
            Self.configuration(
                first.replacing("limits: { ", with: "limits: { memoryBytesMax: 1, ")))
        // Each round ends 16 sessions, and rounds are five seconds apart. The first round ends this
        // wait. The last of the 100 sessions would end half a minute later.
        var left = 100
        let isRelieved = try await daemon.until { total in
            left = total.sessions.detached
            return left <= 84
        }
        #expect(isRelieved && left > 0)
        await #expect(throws: DialFailure.refused(status: 503)) { try await daemon.connect() }
    }

    @Test("After a reload, a new feed loads items, and a view of a removed feed gets an error")
    func loads() async throws {
        let daemon = try TestDaemon(Self.first)
        let client = try await daemon.greeted()
        client.send(Self.attach("list", "a", seq: 1))
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        let refresh = #"{"type":"refresh","seq":2,"view":"list"}"#
        let items = try await Self.answer(to: refresh, of: client, until: "\"items\"")
        #expect(items.contains("Item 1"))
        try daemon.server.reload(Self.configuration(Self.second))
        let failure = try await Self.answer(
            to: refresh.replacing(":2", with: ":3"), of: client, until: "backendRejected")
        #expect(!failure.isEmpty)
        client.send(Self.attach("new", "b", seq: 4))
        let again = try await Self.answer(
            to: #"{"type":"refresh","seq":5,"view":"new"}"#, of: client, until: "\"items\"")
        #expect(again.contains("Item 1"))
        // The time until the items arrive is measured for both feeds, even for the one that was
        // added later.
        #expect(
            try await daemon.until { total in
                ["a", "b"].allSatisfy { backend in
                    total.sessions.loadDurations.contains {
                        $0.backend == backend && $0.durations.counts.reduce(0, +) == 1
                    }
                }
            })
    }

    @Test("A running load keeps the old backend, and the next load uses the new one")
    func running() async throws {
        func yaml(_ title: String, afterMs: Int) -> String {
            "feeds: { a: { backend: script, paging: page, cache: { lifetimeMs: 60000 }, "
                + "steps: [{ afterMs: \(afterMs), items: [{ t: \(title) }] }] } }"
        }
        let daemon = try TestDaemon(yaml("old", afterMs: 300))
        let client = try await daemon.greeted()
        client.send(Self.attach("list", "a", seq: 1))
        client.send(#"{"type":"refresh","seq":2,"view":"list"}"#)
        #expect(try await daemon.until { $0.sessions.loadsStarted.reduce(0, +) == 1 })
        try daemon.server.reload(Self.configuration(yaml("new", afterMs: 0)))
        let old = try await Self.answer(
            to: #"{"type":"ping","t":1}"#, of: client, until: "\"items\"")
        #expect(old.contains("old"))
        let other = try await daemon.greeted()
        other.send(Self.attach("list", "a", seq: 1))
        let new = try await Self.answer(
            to: #"{"type":"refresh","seq":2,"view":"list"}"#, of: other, until: "\"items\"")
        #expect(new.contains("new"))
    }

    @Test("If a part of a reload fails, nothing changes")
    func refused() async throws {
        let daemon = try TestDaemon(Self.first)
        let client = try await daemon.greeted()
        // The file disappears after the configuration was read, so the reader cannot detect the
        // error.
        let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).key"
        let secret = Data(String(repeating: "s", count: 32).utf8)
        #expect(FileManager.default.createFile(atPath: file, contents: secret))
        let configuration = try Self.configuration(
            Self.second + "\nauth: { mode: jwt, algorithms: [HS256], secretFile: \(file), "
                + "audience: here }")
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: ConfigurationError.self) { try daemon.server.reload(configuration) }
        #expect(daemon.server.configuration.limits.viewsPerSessionMax == 1)
        client.send(Self.attach("one", "b", seq: 1))
        #expect(await client.receive(within: .patient).text?.contains("unknownFeed") == true)
        client.send(Self.attach("one", "a", seq: 2))
        let items = try await Self.answer(
            to: #"{"type":"refresh","seq":3,"view":"one"}"#, of: client, until: "\"items\"")
        #expect(items.contains("Item 1"))
    }

    @Test("New origins and tokens apply immediately")
    func access() async throws {
        let hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
        let daemon = try TestDaemon(Self.first)
        let changed = "/v1/feeds/a/changed"
        let origin = "https://app.example"
        await #expect(throws: DialFailure.refused(status: 403)) {
            _ = try await daemon.connect(origin: origin)
        }
        #expect(
            try await daemon.sendRequest("POST", changed, port: daemon.port, token: "foo").status
                == 401)
        try daemon.server.reload(
            Self.configuration(
                Self.first + "\norigins: [\"\(origin)\"]\n"
                    + "tokens: [{ name: t, sha256: \(hash), may: [change] }]"))
        _ = try await daemon.greeted()
        _ = try await daemon.connect(origin: origin)
        #expect(
            try await daemon.sendRequest("POST", changed, port: daemon.port, token: "foo").status
                == 204)
    }

    @Test("A reload closes no session, and no `welcome` mixes two configurations")
    func whole() async throws {
        let daemon = try TestDaemon(Self.first)
        var open: [DialedClient] = []
        for _ in 0..<8 { open.append(try await daemon.greeted()) }
        let configurations = [
            try Self.configuration(Self.second), try Self.configuration(Self.first),
        ]
        var seen: Set<String> = []
        for round in 0..<40 {
            try daemon.server.reload(configurations[round % 2])
            let client = try await daemon.connect()
            client.send(#"{"type":"hello","protocol":1}"#)
            let welcome = try #require(await client.receive(within: .patient).text)
            let hasOne = welcome.contains(#""viewsPerSessionMax":1"#)
            let hasA = welcome.contains(#""feeds":["a"]"#)
            let hasB = welcome.contains(#""feeds":["b"]"#)
            #expect(hasOne == hasA)
            #expect(hasA != hasB)
            seen.insert(hasA ? "a" : "b")
            open[round % 8].send(#"{"type":"ping","t":1}"#)
            #expect(
                await open[round % 8].receive(within: .patient).text?.contains("pong") == true)
            client.send(#"{"type":"bye"}"#)
        }
        #expect(seen == ["a", "b"])
        #expect(try await daemon.until { $0.sessions.sessions == open.count })
    }

    @Test("A reload keeps an unchanged backend with its state")
    func sameBackend() throws {
        let old = try Self.configuration(Self.first)
        let feeds = try Feeds(old)
        let reordered = try Self.configuration(
            "feeds: { b: { backend: demo }, a: { backend: script, \(Self.script), coolDownMs: 5 } }"
        )
        let again = try Feeds(reordered, previous: feeds)
        #expect(again.backends["a"] as AnyObject === feeds.backends["a"] as AnyObject)
        #expect(again.backends["b"] != nil)
        #expect(again.notices === feeds.notices)
        let other = try Feeds(
            Self.configuration(Self.first.replacing("generate: 4", with: "generate: 5")),
            previous: feeds)
        #expect(other.backends["a"] as AnyObject !== feeds.backends["a"] as AnyObject)
        #expect(other.measuredBackends.first?.durations === feeds.measuredBackends.first?.durations)
    }

    @Test(
        "A feed with TLS has its own client, whichever of its URLs needs TLS",
        arguments: [
            "url: 'https://h/'", "url: 'HTTPS://h/'",
            "url: 'http://h/', changes: { url: 'https://h/' }",
            "url: 'http://h/', itemKey: /id, edits: { url: 'https://h/', operations: [insert] }",
        ])
    func ownClient(settings: String) throws {
        let feeds = try Feeds(
            Self.configuration("feeds: { a: { backend: http, paging: none, \(settings) } }"))
        defer { for backend in feeds.backends.values { backend.stop() } }
        #expect(feeds.backends["a"] != nil && feeds.httpClient == nil)
    }

    @Test("The feeds of the kind `http` without TLS share one client, also after a reload")
    func sameClient() throws {
        func feeds(_ names: [String], previous: Feeds? = nil) throws -> Feeds {
            let entries = names.map {
                "\($0): { backend: http, url: 'http://127.0.0.1:1/\($0)', paging: none }"
            }
            return try Feeds(
                Self.configuration("feeds: { \(entries.joined(separator: ", ")) }"),
                previous: previous)
        }
        let before = try feeds(["a", "b"])
        let client = try #require(before.httpClient)
        #expect(try feeds(["b", "c"], previous: before).httpClient === client)
        #expect(try Feeds(Self.configuration(Self.first)).httpClient == nil)
    }
}
