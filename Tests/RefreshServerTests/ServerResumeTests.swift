import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Clients that resume over real sockets, with a daemon of two loops.
@Suite("Resuming over sockets", .limit)
struct ServerResumeTests {
    private func messages(_ client: DialedClient) async throws -> [JSONValue] {
        let text = try #require(await client.receive(within: .patient).text)
        let value = try JSONValue(parsing: text)
        return value.array ?? [value]
    }

    private func resume(_ welcome: JSONValue) -> String {
        #""resume":{"session":"\#(welcome["session"]?.string ?? "")","token":"\#(welcome["token"]?.string ?? "")"}"#
    }

    @Test("A session moves from connection to connection, on any loop")
    func moves() async throws {
        let daemon = try TestDaemon()
        let first = try await daemon.connect()
        first.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"iqpulltorefresh"}]}"#
        )
        var welcome = try #require(try await messages(first).first)
        first.send(#"{"type":"begin","view":"list","seq":1}"#)
        _ = try await messages(first)
        first.terminate()
        #expect(try await daemon.until { $0.sessions.detached == 1 && $0.sessions.sessions == 0 })
        // The kernel chooses the loop of each connection. In one of a thousand runs, it chooses
        // only one loop.
        for seq in 2..<12 {
            let client = try await daemon.connect()
            client.send(
                #"[{"type":"hello","protocol":1,\#(resume(welcome))},{"type":"begin","view":"list","seq":1},{"type":"end","view":"list","seq":\#(2 * seq)}]"#
            )
            let received = try await messages(client)
            #expect(
                received.prefix(3).map { $0["type"]?.string } == ["welcome", "attached", "update"])
            #expect(received[0]["resumed"]?.bool == true)
            #expect(received[0]["session"] == welcome["session"])
            #expect(received[0]["token"] != welcome["token"])
            welcome = received[0]
            client.send(#"{"type":"begin","view":"list","seq":\#(2 * seq + 1)}"#)
            let shown = try await messages(client)
            #expect(shown.first?["top"]?["state"]?.string == "refreshing")
            client.terminate()
            #expect(
                try await daemon.until { $0.sessions.detached == 1 && $0.sessions.sessions == 0 })
        }
        #expect(daemon.total.sessions.count(of: nil) == 10 && daemon.total.sessions.views == 1)
        let metrics = try await daemon.get("/metrics")
        #expect(metrics.body.contains("\nrefreshd_sessions_detached 1\n"))
        #expect(metrics.body.contains("\nrefreshd_resumes_total{result=\"resumed\"} 10\n"))
    }

    @Test(
        "A full daemon admits a client whose session has a dead connection, and no other client"
    )
    func fullDaemon() async throws {
        let daemon = try TestDaemon("limits: { sessionsMax: 1 }")
        // The client has disappeared silently. The connection is still open, but no data arrives on
        // it.
        let dead = try await daemon.connect()
        dead.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"iqpulltorefresh"}]}"#)
        var welcome = try #require(try await messages(dead).first)
        let name = welcome["session"]?.string ?? ""
        for resume in [
            "", #","resume":{"session":"\#(name)","token":"0123456789abcdef0123456789abcdef"}"#,
            #","resume":{"session":"0123456789abcdef","token":"0123456789abcdef0123456789abcdef"}"#,
        ] {
            let other = try await daemon.connect()
            other.send(#"{"type":"hello","protocol":1\#(resume)}"#)
            let fault = try #require(try await messages(other).first)
            #expect(fault["code"]?.string == "tooManySessions", "\(resume)")
        }
        var clients = [dead]
        for _ in 0..<3 {
            let client = try await daemon.connect()
            clients.append(client)
            client.send(#"{"type":"hello","protocol":1,\#(resume(welcome))}"#)
            welcome = try #require(try await messages(client).first)
            #expect(welcome["resumed"]?.bool == true)
            #expect(daemon.server.parts.admissionState.places == 1)
        }
        #expect(try await daemon.until { $0.sessions.sessions == 1 })
        #expect(daemon.server.parts.admissionState.places == 1)
        clients.last?.close()
    }

    @Test("If a session is resumed, its old connection receives the reason and is closed with 4005")
    func taken() async throws {
        let daemon = try TestDaemon()
        let first = try await daemon.connect()
        first.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"iqpulltorefresh"}]}"#
        )
        let welcome = try #require(try await messages(first).first)
        let second = try await daemon.connect()
        second.send(#"{"type":"hello","protocol":1,\#(resume(welcome))}"#)
        #expect(try await messages(second)[0]["resumed"]?.bool == true)
        let last = try await messages(first)
        #expect(last.first?["code"]?.string == "sessionTaken")
        guard case .closed(let code, _) = await first.receive(within: .patient) else {
            Issue.record("the connection was not closed")
            return
        }
        #expect(code == 4005)
        #expect(try await daemon.until { $0.sessions.sessions == 1 && $0.sessions.views == 1 })
        second.send(#"{"type":"begin","view":"list","seq":1}"#)
        #expect(try await messages(second).first?["type"]?.string == "update")
    }

    @Test("A load that began on one connection ends on the next")
    func load() async throws {
        // The backend answers only after the session is detached. If the page were sent on the lost
        // connection, the client would not have it, and the session could not be resumed.
        let mayAnswer = DispatchSemaphore(value: 0)
        let server = try LocalServer { exchange in
            mayAnswer.wait()
            exchange.reply(200, #"[{"n":1},{"n":2}]"#)
        }
        let daemon = try TestDaemon(
            "feeds: { numbers: { backend: http, url: '\(server.url)', paging: page, size: 2 } }")
        let first = try await daemon.connect()
        first.send(
            #"[{"type":"hello","protocol":1,"views":[{"view":"list","profile":"iqpulltorefresh","feed":"numbers"}]}]"#
        )
        let welcome = try #require(try await messages(first).first)
        first.send(#"{"type":"refresh","view":"list","seq":1}"#)
        first.terminate()
        #expect(try await daemon.until { $0.sessions.detached == 1 })
        let second = try await daemon.connect()
        second.send(
            #"[{"type":"hello","protocol":1,\#(resume(welcome))},{"type":"refresh","view":"list","seq":1}]"#
        )
        var received = try await messages(second)
        mayAnswer.signal()
        while !received.contains(where: { $0["type"]?.string == "items" }) {
            received += try await messages(second)
        }
        #expect(received[0]["resumed"]?.bool == true)
        #expect(received.all("items").count == 1)
        #expect(received.first("items")?["items"]?.array?.count == 2)
    }

    @Test("When a daemon stops, it keeps no sessions")
    func draining() async throws {
        let daemon = try TestDaemon()
        let first = try await daemon.connect()
        first.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"iqpulltorefresh"}]}"#
        )
        _ = try await messages(first)
        await withCheckedContinuation { done in daemon.server.drain { done.resume() } }
        #expect(daemon.total.sessions.detached == 0 && daemon.total.sessions.views == 0)
    }
}
