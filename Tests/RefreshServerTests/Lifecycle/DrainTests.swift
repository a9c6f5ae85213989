import Dispatch
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Draining", .ownThread, .limit)
struct DrainTests {
    private static func daemon(_ step: String, loadsMs: Int) throws -> TestDaemon {
        try TestDaemon(
            """
            drain: { delayMs: 0, spreadMs: 0, loadsMs: \(loadsMs) }
            feeds: { songs: { backend: script, paging: page, size: 1, steps: [\(step)] } }
            """)
    }

    /// Returns a client whose session has a running refresh.
    private static func loading(_ daemon: TestDaemon) async throws -> DialedClient {
        let client = try await daemon.greeted()
        client.send(
            #"[{"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs","#
                + #""geometry":{"viewport":{"width":100,"height":100}}},"#
                + #"{"type":"refresh","seq":2,"view":"list"}]"#)
        var text = ""
        while !text.contains(#""phase":"began""#) {
            text = try #require(await client.receive(within: .patient).text)
        }
        return client
    }

    /// Returns all messages up to the end of the connection.
    private static func rest(
        of client: DialedClient
    ) async -> (texts: [String], end: DialedEvent) {
        var texts: [String] = []
        while true {
            let event = await client.receive(within: .patient)
            guard let text = event.text else { return (texts, event) }
            texts.append(text)
        }
    }

    /// Returns the complete answer to a request on a new connection.
    private static func get(_ path: String, _ port: UInt16) throws -> String {
        let socket = try PlainSocket(port: port)
        socket.send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        return socket.readToEnd()
    }

    private static let end = DialedEvent.closed(code: 4100, reason: "draining")

    @Test("In a drain, an idle session closes at once. Others close after their loads have ended")
    func lingers() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        defer { mayAnswer.signal() }
        let pages = try LocalServer { exchange in
            mayAnswer.wait()
            exchange.reply(200, #"[{"n":"late"}]"#)
        }
        let daemon = try TestDaemon(
            """
            drain: { delayMs: 0, spreadMs: 0, loadsMs: 600000 }
            feeds:
              songs: { backend: http, url: "http://127.0.0.1:\(pages.port)/", paging: page, size: 1 }
            """)
        let waiting = try await Self.loading(daemon)
        let idle = try await daemon.greeted()
        async let drained: Void = withCheckedContinuation { done in
            daemon.server.drain { done.resume() }
        }
        let (idleTexts, idleEnd) = await Self.rest(of: idle)
        #expect(idleEnd == Self.end)
        #expect(idleTexts.first?.hasPrefix(#"{"type":"draining""#) == true)
        var received = ""
        while !received.contains(#""type":"draining""#) {
            received = try #require(await waiting.receive(within: .patient).text)
            #expect(!received.contains("late"))
        }
        mayAnswer.signal()
        let (texts, end) = await Self.rest(of: waiting)
        await drained
        #expect(end == Self.end)
        #expect(texts.contains { $0.contains("late") })
        #expect(texts.last?.contains(#""code":"draining""#) == true)
        withExtendedLifetime(pages) {}
    }

    @Test("A draining daemon is not ready, but still accepts connections during `delayMs`")
    func delay() async throws {
        #expect(DrainSettings().delayMs == 1000)
        let daemon = try TestDaemon("drain: { delayMs: 60000, spreadMs: 0, loadsMs: 0 }") {
            $0.adminListeners = [try ListenAddress("127.0.0.1:0")]
        }
        daemon.server.drain {}
        // The drain begins on another thread. The daemon is ready until then.
        while try Self.get("/readyz", daemon.port).hasPrefix("HTTP/1.1 200") {}
        for port in [daemon.port, daemon.adminPort] {
            #expect(try Self.get("/readyz", port).hasPrefix("HTTP/1.1 503"))
        }
        let late = try await daemon.greeted()
        late.send(#"{"type":"ping","t":1}"#)
        #expect(await late.receive(within: .patient).text?.contains("pong") == true)
    }

    @Test("Until the end of a drain, operators can see the remaining sessions")
    func visible() async throws {
        let daemon = try TestDaemon(
            """
            drain: { delayMs: 0, spreadMs: 0, loadsMs: 600000 }
            feeds: { songs: { backend: script, paging: page, size: 1, steps: [{ hang: true }] } }
            """
        ) { $0.adminListeners = [try ListenAddress("127.0.0.1:0")] }
        let client = try await Self.loading(daemon)
        let idle = try await daemon.greeted()
        let server = daemon.server
        async let drained: Void = withCheckedContinuation { done in
            server.drain { done.resume() }
        }
        #expect(await Self.rest(of: idle).end == Self.end)
        // From here on, only the load is awaited, and only operators can connect.
        await #expect(throws: PlainSocket.Refused.self) {
            for _ in 0..<6000 * patience {
                _ = try PlainSocket(port: daemon.port)
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        #expect(try await daemon.until { $0.sessions.sessions == 1 })
        let answer = try Self.get("/readyz", daemon.adminPort)
        #expect(answer.hasPrefix("HTTP/1.1 503") && answer.hasSuffix("draining\n"))
        #expect(try Self.get("/metrics", daemon.adminPort).contains("\nrefreshd_sessions 1\n"))
        let (status, sessions) = try await daemon.order("GET", "/v1/sessions")
        #expect(status == 200 && sessions["sessions"]?.array?.count == 1)
        client.send(#"{"type":"bye"}"#)
        await drained
    }

    @Test("A load that does not end is awaited for `loadsMs`, and then the daemon stops")
    func bound() async throws {
        let daemon = try Self.daemon("{ hang: true }", loadsMs: 400)
        let client = try await Self.loading(daemon)
        async let drained: Void = withCheckedContinuation { done in
            daemon.server.drain { done.resume() }
        }
        let (texts, end) = await Self.rest(of: client)
        await drained
        #expect(end == Self.end)
        #expect(!texts.contains { $0.contains(#""type":"items""#) })
        // DrainingSessionTests checks the time in milliseconds, with simulated clocks.
    }
}
