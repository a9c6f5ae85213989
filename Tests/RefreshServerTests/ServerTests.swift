import Foundation
import FoundationNetworking
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A whole daemon on free loopback ports, with a dialer for it.
final class TestDaemon {
    let server: Server
    let dialer: Dialer
    let port: UInt16

    init(
        _ yaml: String = "", listen: String = "127.0.0.1:0", echo: Bool = false, loops: Int = 2,
        log: DaemonLog = .silent,
        memory: MemoryGauge = MemoryGauge(groups: [], addressSpace: nil),
        change: (inout ConfigurationFile) throws -> Void = { _ in }
    ) throws {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress(listen)]
        flags.loops = loops
        flags.servesEcho = echo
        flags.demo = false
        var file = try ConfigurationFile(text: yaml, path: "refreshd.yaml")
        try change(&file)
        // The timeouts are long, because tests may be slow. A test that needs a short timeout sets
        // this timeout.
        let usual = Limits()
        if file.limits.helloTimeoutMs == usual.helloTimeoutMs {
            file.limits.helloTimeoutMs = 120_000
        }
        if file.limits.headTimeoutMs == usual.headTimeoutMs { file.limits.headTimeoutMs = 120_000 }
        // Only `memoryBytesMax` limits memory here, whatever other processes use.
        server = try Server(
            Configuration(flags: flags, file: file), log: log, memory: memory)
        server.start()
        port = try #require(server.listeners.first?.port)
        dialer = try Dialer()
    }

    deinit {
        dialer.stop()
        server.stop()
    }

    func connect(
        _ path: String = "/v1/session", host: String = "127.0.0.1", origin: String? = nil
    ) async throws -> DialedClient {
        try await dialer.connect("ws://\(host):\(port)\(path)", origin: origin, within: .patient)
    }

    /// Returns a client that has received `welcome`.
    func greeted() async throws -> DialedClient {
        let client = try await connect()
        client.send(#"{"type":"hello","protocol":1}"#)
        let welcome = await client.receive(within: .patient)
        #expect(welcome.text?.contains(#""type":"welcome""#) == true)
        return client
    }

    func get(_ path: String) async throws -> (status: Int, body: String) {
        try await sendRequest("GET", path, port: port)
    }

    func sendRequest(
        _ method: String, _ path: String, port: UInt16, token: String? = nil,
        requestBody: String? = nil
    ) async throws -> (status: Int, body: String) {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = requestBody.map { Data($0.utf8) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return try await withCheckedThrowingContinuation { continuation in
            let task = URLSession.shared.dataTask(with: request) { data, response, error in
                if let error { return continuation.resume(throwing: error) }
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                let body = String(decoding: data ?? Data(), as: UTF8.self)
                continuation.resume(returning: (status, body))
            }
            task.resume()
        }
    }

    var total: MetricsSnapshot {
        let loops = server.metrics
        return loops.dropFirst().reduce(into: loops[0]) { $0 += $1 }
    }

    /// Waits until `isSo` is true for the counts, for at most a minute times `patience`. Returns
    /// whether it became true.
    func until(_ isSo: (MetricsSnapshot) -> Bool) async throws -> Bool {
        for _ in 0..<6000 * patience {
            if isSo(total) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

@Suite("Server", .limit)
struct ServerTests {
    @Test("A session receives `welcome`, is counted, and is removed at its end")
    func session() async throws {
        let daemon = try TestDaemon()
        let client = try await daemon.greeted()
        #expect(daemon.total.sessions.sessions == 1)
        #expect(daemon.total.sessions.messagesReceived == 1)
        #expect(daemon.total.sessions.messagesSent == 1)
        let metrics = try await daemon.get("/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.body.contains("\nrefreshd_sessions 1\n"))
        client.send(#"{"type":"bye"}"#)
        #expect(await client.receive(within: .patient).text == #"{"type":"bye"}"#)
        #expect(
            await client.receive(within: .patient) == .closed(code: 1000, reason: "normal"))
        #expect(try await daemon.until { $0.sessions.sessions == 0 })
        #expect(daemon.total.sessions.sessionsOpened == 1)
    }

    @Test("A session without views ends when its connection is cut")
    func cut() async throws {
        let daemon = try TestDaemon()
        let client = try await daemon.greeted()
        client.terminate()
        #expect(try await daemon.until { $0.sessions.sessions == 0 && $0.sessions.views == 0 })
    }

    @Test("A load is sent to its backend, and the answer reaches its session")
    func load() async throws {
        let list = FileManager.default.temporaryDirectory
            .appendingPathComponent("refreshd-\(UUID().uuidString).json")
        try Data(#"[{"n":1},{"n":2},{"n":3}]"#.utf8).write(to: list)
        defer { try? FileManager.default.removeItem(at: list) }
        let daemon = try TestDaemon(
            "feeds: { numbers: { backend: file, path: \(list.path), paging: page, size: 2 } }")
        let client = try await daemon.connect()
        client.send(
            #"[{"type":"hello","protocol":1},{"type":"attach","seq":1,"view":"list","#
                + #""profile":"iqpulltorefresh","feed":"numbers","#
                + #""geometry":{"viewport":{"width":100,"height":100}}},"#
                + #"{"type":"refresh","view":"list","seq":2}]"#)
        var received = ""
        while !received.contains(#""type":"items""#) {
            let text = try #require(await client.receive(within: .patient).text)
            received += text
        }
        #expect(received.contains(#""items":[{"n":1},{"n":2}]"#))
        #expect(
            try await daemon.until { $0.sessions.count(of: .success, feed: "numbers") == 1 })
        #expect(daemon.total.sessions.loadsStarted(feed: "numbers") >= 1)
        #expect(daemon.total.sessions.count(of: .refreshing, at: .refresh) == 1)
    }

    @Test("A client that sends no `hello` receives a fault and is closed with 4003")
    func helloTimeout() async throws {
        let daemon = try TestDaemon("limits: { helloTimeoutMs: 100 }")
        let client = try await daemon.connect()
        let error = await client.receive(within: .patient)
        #expect(error.text?.contains("helloTimeout") == true)
        #expect(Self.code(of: await client.receive(within: .patient)) == 4003)
        #expect(daemon.total.sessions.count(of: .helloTimeout) == 1)
    }

    @Test("Upgrades over sockets are admitted or refused by their origin and their path")
    func gate() async throws {
        let log = LogRecorder()
        let daemon = try TestDaemon(
            "origins: [https://app.example.org]\ndemo: true\nloops: 1", log: log.log)
        let own = "http://127.0.0.1:\(daemon.port)"
        for origin in [own, "https://app.example.org"] {
            _ = try await daemon.connect(origin: origin)
        }
        for origin in ["http://evil.example", "null", "http://localhost:1"] {
            await #expect(throws: DialFailure.refused(status: 403)) {
                try await daemon.connect(origin: origin)
            }
        }
        for path in ["/none", "/echo", "/v2/session"] {
            await #expect(throws: DialFailure.refused(status: 404)) {
                try await daemon.connect(path)
            }
        }
        #expect(try await daemon.until { $0.sessions.sessionsOpened == 2 })
        #expect(daemon.total.connections.count(of: .originNotAllowed) == 3)
        let notices = log.lines.filter { $0.contains("origin not allowed") }
        #expect(
            notices.first
                == "notice origin not allowed option=origins origin=http://evil.example")
        #expect(daemon.total.connections.count(of: .notFound) == 3)
        #expect(daemon.total.connections.upgrades.reduce(0, +) == 6)
        #expect(try await daemon.get("/none").status == 404)
    }

    @Test("A foreign host on a loopback listener is refused, and each loop names it once")
    func foreignHost() async throws {
        let log = LogRecorder()
        let daemon = try TestDaemon(log: log.log)
        for _ in 0..<8 {
            await #expect(throws: DialFailure.refused(status: 400)) {
                try await daemon.connect(host: "0.0.0.0")
            }
        }
        let notices = log.lines.filter { $0.contains("host not allowed") }
        #expect(
            Set(notices) == ["notice host not allowed host=0.0.0.0:\(daemon.port) option=listen"])
        #expect(notices.count <= daemon.server.metrics.count)
    }

    @Test("One session above the limit is refused, and admitted when another one ends")
    func full() async throws {
        let daemon = try TestDaemon("limits: { sessionsMax: 2 }")
        let first = try await daemon.greeted()
        let second = try await daemon.greeted()
        let late = try await daemon.connect()
        late.send(#"{"type":"hello","protocol":1}"#)
        #expect(await late.receive(within: .patient).text?.contains("tooManySessions") == true)
        guard case .closed(4102, _) = await late.receive(within: .patient) else {
            Issue.record("the connection was not closed with 4102")
            return
        }
        first.terminate()
        #expect(try await daemon.until { $0.sessions.sessions == 1 })
        let third = try await daemon.greeted()
        #expect(daemon.total.sessions.sessions == 2)
        _ = (second, third)
    }

    @Test("The echo returns every message, text or binary, short or long")
    func echo() async throws {
        let daemon = try TestDaemon(echo: true)
        let client = try await daemon.connect("/echo")
        let long = [UInt8](repeating: 7, count: 1_000_000)
        client.send("héllo")
        client.send(long, isBinary: true)
        client.send([], isBinary: false)
        #expect(await client.receive(within: .patient).text == "héllo")
        #expect(await client.receive(within: .patient) == .message(long, isBinary: true))
        #expect(await client.receive(within: .patient) == .message([], isBinary: false))
        #expect(daemon.total.sessions.sessionsOpened == 0)
    }

    @Test("`localhost` means both loopback addresses with one port")
    func localhost() async throws {
        let daemon = try TestDaemon(listen: "localhost:0")
        let listeners = daemon.server.listeners
        #expect(Set(listeners.map(\.port)).count == 1)
        let hosts = ["127.0.0.1": "127.0.0.1", "::1": "[::1]"]
        for listener in listeners {
            let host = try #require(hosts[listener.address.description])
            _ = try await daemon.connect(host: host)
        }
        #expect(try await daemon.until { $0.sessions.sessionsOpened == listeners.count })
    }

    @Test("The error for an address in use names the address")
    func inUse() throws {
        let daemon = try TestDaemon()
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:\(daemon.port)")]
        let configuration = try Configuration(flags: flags)
        let error = #expect(throws: ServerError.self) {
            try Server(configuration, log: .silent)
        }
        #expect(error?.exitStatus == .unavailable)
        #expect(error?.description.contains("127.0.0.1:\(daemon.port)") == true)
    }

    @Test("The error for a backend that cannot be created names its place in the file")
    func backend() throws {
        var file = try ConfigurationFile(
            text: "feeds:\n  a: { backend: http, url: \"http://h/\", paging: page }", path: "r.yaml"
        )
        // This simulates a backend that passes the check of the file, but cannot be created.
        file.feeds[0].backend = .http(HTTPSettings(url: "nowhere"))
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        let configuration = try Configuration(flags: flags, file: file)
        let error = #expect(throws: ServerError.self) {
            try Server(configuration, log: .silent)
        }
        #expect(error?.exitStatus == .configuration)
        #expect(error?.description.hasPrefix("r.yaml:2:3: feeds.a.url: ") == true)
    }

    @Test("A stop closes all sessions with 4100 and all listeners, and then reports its end")
    func drain() async throws {
        let daemon = try TestDaemon(echo: true)
        var clients: [DialedClient] = []
        for _ in 0..<8 { clients.append(try await daemon.greeted()) }
        let echo = try await daemon.connect("/echo")
        #expect(try await daemon.get("/readyz").status == 200)
        await withCheckedContinuation { continuation in
            daemon.server.drain { continuation.resume() }
        }
        #expect(daemon.total.sessions.sessions == 0)
        for client in clients {
            let announced = await client.receive(within: .patient)
            #expect(announced.text?.hasPrefix(#"{"type":"draining","closes":"#) == true)
            let error = await client.receive(within: .patient)
            #expect(error.text?.contains(#""code":"draining""#) == true)
            #expect(Self.code(of: await client.receive(within: .patient)) == 4100)
        }
        #expect(Self.code(of: await echo.receive(within: .patient)) == 4100)
        await #expect(throws: DialFailure.self) { try await daemon.connect() }
    }

    static func code(of event: DialedEvent) -> UInt16? {
        guard case .closed(let code, _) = event else { return nil }
        return code
    }
}
