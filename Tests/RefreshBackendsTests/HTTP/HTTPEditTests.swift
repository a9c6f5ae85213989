import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// Source: docs/backends.md, "Edits".
@Suite("Edits over http, with a local server")
struct HTTPEditTests {
    private static let hash = SipHash(key: 1, 2)

    private func call(attempt: Int = 1) -> EditCall {
        let operation = ItemOperation(
            .insert, ItemOperation.Key(Array(#""a""#.utf8), hashedBy: Self.hash), at: .start,
            item: Array(#"{"id": "a"}"#.utf8), hashedBy: Self.hash)
        return EditCall(
            EditRequest(
                feed: "h", operation, idempotencyKey: "edit-1",
                parameters: [LoadParameter(name: "q", value: .text("x\"y"))],
                headers: [HeaderField(name: "accept-language", value: "de")], subject: "ada"),
            attempt: attempt)
    }

    private func backend(_ server: LocalServer) throws -> HTTPBackend {
        var options = HTTPOptions.patient()
        options.forward = ["accept-language"]
        options.redirects = 5
        options.editURL = server.url + "/edits"
        return try HTTPBackend(url: server.url, options: options)
    }

    private func code(of backend: HTTPBackend) async -> FaultCode? {
        do throws(LoadFailure) {
            _ = try await backend.edit(call())
            return nil
        } catch {
            return error.code
        }
    }

    @Test("An edit is a POST with its key, its attempt, and the operation byte for byte")
    func request() async throws {
        let server = try LocalServer { exchange in
            let expected =
                #"{"edit":"edit-1","attempt":2,"operation":{"insert":{"id": "a"},"at":"start"},"#
                + #""parameters":{"q":"x\"y"},"subject":"ada"}"#
            #expect(String(decoding: exchange.body, as: UTF8.self) == expected)
            #expect(exchange.header("Idempotency-Key") == "edit-1")
            #expect(exchange.header("Content-Type") == "application/json")
            #expect(exchange.header("accept-language") == "de")
            exchange.reply(200, "{}")
        }
        #expect(try await backend(server).edit(call(attempt: 2)) == nil)
        #expect(server.received.first?.hasPrefix("POST /edits HTTP/1.1\r\n") == true)
    }

    @Test(
        "204, 200 without a body, and 200 without an item confirm the edit",
        arguments: [
            (204, ""), (200, ""), (200, " \n"), (200, "{}"), (200, #"{"ok":true}"#),
            (200, #"{"item":null}"#),
        ])
    func confirmed(status: Int, body: String) async throws {
        let server = try LocalServer { $0.reply(status, body) }
        #expect(try await backend(server).edit(call()) == nil)
    }

    @Test("The item of the answer is returned byte for byte")
    func item() async throws {
        let server = try LocalServer {
            $0.reply(200, #"{"more": 1, "item": {"id" : 1.0, "t":"\u00e9"} }"#)
        }
        let item = try await backend(server).edit(call())
        #expect(item == Array(#"{"id" : 1.0, "t":"\u00e9"}"#.utf8))
    }

    @Test(
        "An answer that is not as described is malformed",
        arguments: [
            (200, "[]"), (200, "{"), (200, #"{"item":1}"#), (200, #"{"item":[]}"#),
            (200, #"{"item":{},"item":{}}"#), (200, "{} {}"), (201, "{}"), (202, ""),
        ])
    func malformed(status: Int, body: String) async throws {
        let server = try LocalServer { $0.reply(status, body) }
        #expect(await code(of: try backend(server)) == .backendAnswerMalformed)
    }

    @Test(
        "Any other status is the failure of a load, and no redirect is followed",
        arguments: [
            (302, FaultCode.backendAnswerMalformed), (303, .backendAnswerMalformed),
            (307, .backendRejected), (404, .backendRejected),
            (409, .backendRejected), (408, .backendTimedOut), (429, .backendBusy),
            (500, .backendFailed), (503, .backendUnavailable),
        ])
    func statuses(status: Int, code: FaultCode) async throws {
        let server = try LocalServer { exchange in
            exchange.reply(status, "{}", headers: "Location: /other\r\n")
        }
        #expect(await self.code(of: try backend(server)) == code)
        #expect(server.received.count == 1)
    }

    @Test("Without a URL for edits, an edit is rejected")
    func noURL() async throws {
        let server = try LocalServer { $0.reply(200, "{}") }
        let backend = try HTTPBackend(url: server.url, options: .patient())
        #expect(await code(of: backend) == .backendRejected)
        #expect(server.received.isEmpty)
    }
}
