import Dispatch
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// Operations that are reported to a whole daemon. Source: docs/backends.md, "What has changed".
@Suite("Live items through a daemon", .limit)
struct ServerLiveTests {
    private static let page = #"[{"id":1},{"id":2},{"id":3}]"#
    private static let report =
        #""operations":[{"remove":2},{"update":{"id":3, "v":1}},"#
        + #"{"insert":{"id":9},"at":"start"},{"insert":{"id":8},"after":3},{"move":1,"at":"end"}]"#

    /// Receives until a message contains `mark`, and returns this message.
    private static func receive(_ mark: String, from client: DialedClient) async -> String {
        for _ in 0..<200 {
            guard let text = await client.receive(within: .patient).text else { break }
            if text.contains(mark) { return text }
        }
        Issue.record("no message contains \(mark)")
        return ""
    }

    /// Returns a client that has requested the first page of the feed `cards`. Without `features`,
    /// its `hello` names none.
    private static func client(
        of daemon: TestDaemon, features: String? = #"["patch","live"]"#
    ) async throws -> DialedClient {
        let client = try await daemon.connect()
        let named = features.map { #","features":\#($0)"# } ?? ""
        let top = features == nil ? "" : #","top":{"arrivals":"insert","changes":"cue"}"#
        client.send(
            #"[{"type":"hello","protocol":1\#(named)},"#
                + #"{"type":"attach","seq":1,"view":"v","profile":"default","feed":"cards"\#(top)},"#
                + #"{"type":"refresh","seq":2,"view":"v"}]"#)
        return client
    }

    /// Checks that the client receives the operations of the report, as they were reported.
    private static func expectOperations(_ client: DialedClient) async {
        let items = await receive(#""operations""#, from: client)
        #expect(items.contains(#""type":"items""#) && items.contains(#""mode":"patch""#))
        #expect(items.contains(#""count":4"#))
        #expect(items.contains(report), "\(items)")
        #expect(!items.contains(#""page""#))
    }

    /// The configuration of the feed. `more`: further keys.
    private static func yaml(_ backend: String, _ more: String = "") -> String {
        "feeds: { cards: { \(backend), paging: none, itemKey: /id\(more) } }"
    }

    @Test("The operations of a reported change reach the lists of the views as they were reported")
    func posted() async throws {
        let server = try LocalServer { $0.reply(200, Self.page) }
        let daemon = try TestDaemon(Self.yaml("backend: http, url: \"\(server.url)/\"")) { file in
            file.adminListeners = [try ListenAddress("127.0.0.1:0")]
        }
        let clients = [try await Self.client(of: daemon), try await Self.client(of: daemon)]
        let other = try await Self.client(of: daemon, features: nil)
        for client in clients + [other] { _ = await Self.receive(#""replace""#, from: client) }
        let admin = try #require(daemon.server.listeners.last).port
        let status = try await daemon.sendRequest(
            "POST", "/v1/feeds/cards/changed", port: admin, requestBody: "{\(Self.report)}"
        ).status
        #expect(status == 204)
        for client in clients { await Self.expectOperations(client) }
        // A client without the features is informed of a change.
        let update = await Self.receive(#""newer":true"#, from: other)
        #expect(!update.contains("operations"))
    }

    @Test("The operations of an event of a stream of changes reach the list of a view")
    func streamed() async throws {
        let showing = DispatchSemaphore(value: 0)
        defer { showing.signal() }
        let server = try LocalServer { exchange in
            guard exchange.target == "/changes" else { return exchange.reply(200, Self.page) }
            exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            showing.wait()
            exchange.send("id: 1\ndata: {\(Self.report)}\n\n")
            exchange.waitForHangUp()
        }
        let daemon = try TestDaemon(
            Self.yaml(
                "backend: http, url: \"\(server.url)/\"",
                ", changes: { url: \"\(server.url)/changes\" }"))
        let client = try await Self.client(of: daemon)
        _ = await Self.receive(#""replace""#, from: client)
        showing.signal()
        await Self.expectOperations(client)
    }

    @Test("The operations that a worker reports reach the list of a view")
    func worker() async throws {
        let daemon = try TestDaemon(
            Self.yaml("backend: worker")
                + """

                tokens:
                  - name: library
                    sha256: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
                    may: [work]
                """)
        let worker = try await daemon.worker()
        worker.send(#"{"type":"register","token":"password","feeds":["cards"],"capacity":1}"#)
        #expect(await worker.receive(within: .patient).text?.contains("registered") == true)
        let client = try await Self.client(of: daemon)
        let text = try #require(await worker.receive(within: .patient).text)
        let load = try #require(try JSONValue(parsing: text)["id"]?.string)
        worker.send(#"{"type":"page","id":"\#(load)","items":\#(Self.page)}"#)
        _ = await Self.receive(#""replace""#, from: client)
        worker.send(#"{"type":"changed","feed":"cards",\#(Self.report)}"#)
        await Self.expectOperations(client)
    }
}
