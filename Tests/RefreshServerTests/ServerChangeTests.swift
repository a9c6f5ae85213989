import Foundation
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Changes through a daemon", .limit)
struct ServerChangeTests {
    /// A daemon with a feed `songs`, a listener for operators, and the tokens of
    /// `AccessTokensTests`.
    private static func daemon() throws -> TestDaemon {
        let yaml = "feeds: { songs: { backend: file, path: /nonexistent.json, paging: page } }"
        return try TestDaemon(yaml) { file in
            file.adminListeners = [try ListenAddress("127.0.0.1:0")]
            file.tokens = AccessTokensTests.settings
        }
    }

    private static func attached(to daemon: TestDaemon) async throws -> DialedClient {
        let client = try await daemon.greeted()
        client.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs"}"#)
        #expect(
            await client.receive(within: .patient).text?.contains("\"attached\"") == true)
        return client
    }

    @Test("A change that is reported on any listener reaches the views of all loops once")
    func reported() async throws {
        let daemon = try Self.daemon()
        let admin = try #require(daemon.server.listeners.last)
        #expect(admin.isAdmin)
        var clients: [DialedClient] = []
        for _ in 0..<4 { clients.append(try await Self.attached(to: daemon)) }
        let path = "/v1/feeds/songs/changed"
        #expect(try await daemon.sendRequest("POST", path, port: daemon.port).status == 401)
        #expect(
            try await daemon.sendRequest("POST", path, port: daemon.port, token: "x").status == 401)
        #expect(
            try await daemon.sendRequest("POST", path, port: daemon.port, token: "library").status
                == 403)
        #expect(
            try await daemon.sendRequest("POST", path, port: daemon.port, token: "deploy").status
                == 204)
        #expect(try await daemon.sendRequest("POST", path, port: admin.port).status == 204)
        for client in clients {
            let update = await client.receive(within: .patient).text
            #expect(update?.contains(#""newer":true"#) == true)
            client.send(#"{"type":"ping","t":1}"#)
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
    }

    @Test("Only a report of changes may have a body, of at most 262,144 bytes")
    func bodies() async throws {
        let daemon = try Self.daemon()
        let admin = try #require(daemon.server.listeners.last).port
        let report = "/v1/feeds/songs/changed"
        for (method, path, count, status) in [
            ("POST", report, 262_145, 413), ("POST", "/v1/feeds/none/changed", 262_145, 404),
            ("POST", "/healthz", 2, 413), ("POST", "/v1/session", 2, 413),
            ("POST", "/v1/sessions/a/journal", 2, 413), ("POST", "/v1/feeds/songs", 2, 413),
            ("DELETE", "/v1/sessions/a/trace", 2, 413), ("DELETE", report, 2, 413),
            ("POST", "/v1/feeds/none/changed", 262_144, 404),
        ] {
            let answer = try await Self.answer(daemon, method, path, port: admin, count)
            #expect(answer.status == status, "\(method) \(path) \(count)")
            let code = count > 262_144 ? "\"tooLarge\"" : "\"bodyRefused\""
            #expect(answer.body.contains(code) == (status == 413))
        }
        // The token is checked before the body is read, and before its length is checked.
        for count in [2, 200_000, 262_145] {
            let answer = try await Self.answer(daemon, "POST", report, port: daemon.port, count)
            #expect(answer.status == 401, "\(count)")
        }
    }

    /// Sends a request with a body of this length. A refused body is not read, so a client that
    /// still sends it can find the connection closed before it has read the answer. It then sends
    /// the request again.
    private static func answer(
        _ daemon: TestDaemon, _ method: String, _ path: String, port: UInt16, _ count: Int
    ) async throws -> (status: Int, body: String) {
        let body = String(repeating: " ", count: count)
        for _ in 0..<20 {
            if let answer = try? await daemon.sendRequest(
                method, path, port: port, requestBody: body)
            {
                return (answer.status, answer.body)
            }
        }
        let answer = try await daemon.sendRequest(method, path, port: port, requestBody: body)
        return (answer.status, answer.body)
    }

    @Test("The listener for operators does not open sessions")
    func adminListener() async throws {
        let daemon = try Self.daemon()
        let port = try #require(daemon.server.listeners.last).port
        #expect(try await daemon.sendRequest("GET", "/healthz", port: port).status == 200)
        #expect(try await daemon.sendRequest("GET", "/metrics", port: port).status == 200)
        #expect(try await daemon.sendRequest("GET", "/", port: port).status == 404)
        #expect(
            try await daemon.sendRequest("POST", "/v1/feeds/none/changed", port: port).status == 404
        )
        await #expect(throws: DialFailure.refused(status: 404)) {
            _ = try await daemon.dialer.connect("ws://127.0.0.1:\(port)/v1/session")
        }
    }
}
