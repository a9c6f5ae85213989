import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Hostile client values for the http backend")
struct HTTPInjectionTests {
    private func request(_ value: String) -> LoadRequest {
        LoadRequest(
            feed: "h", kind: .more, page: 2, offset: 20, size: 20, cursor: value,
            parameters: [LoadParameter(name: "q", value: .text(value))], subject: value)
    }

    @Test("In the URL, values are percent-encoded, and a value that forms `..` in the path fails")
    func url() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let backend = try HTTPBackend(
            url: server.url
                + "/q/{parameter:q}/s?q={parameter:q}&cursor={cursor}&who={subject}&end=1",
            parameters: ["q"], options: .patient())
        var refused: [String] = []
        for value in InjectionStrings.all where value.utf8.count < 10_000 {
            let requestCount = server.received.count
            if let failed = await backend.failure(request(value)) {
                #expect(failed.code == .backendRejected)
                #expect(server.received.count == requestCount)
                refused.append(value)
                continue
            }
            #expect(server.received.count == requestCount + 1)
            let head = try #require(server.received.last)
            let target = try #require(head.split(separator: " ").dropFirst().first)
            let encoded = PercentEncoding.encoded(value)
            #expect(
                target
                    == "/q/\(encoded)/s?q=\(encoded)&cursor=\(encoded)&who=\(encoded)&end=1")
            #expect(
                QueryValue.named("v", in: "?v=\(encoded)")?.utf8.elementsEqual(value.utf8) == true)
            #expect(LocalServer.header("Host", in: head) == "127.0.0.1:\(server.port)")
            #expect(head.components(separatedBy: "\r\n").count == 5)
        }
        #expect(
            refused == [
                "/../admin", "../../etc/passwd", "a/..", "../../admin", "..\\admin", "a/./b", "..",
                ".",
            ])
    }

    @Test("A value that makes the URL too long fails without a request")
    func longURL() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let backend = try HTTPBackend(url: server.url + "/?c={cursor}", options: .patient())
        let longest = 65_536 - server.url.utf8.count - 4
        _ = try await backend.load(request(String(repeating: "x", count: longest)))
        let failed = await backend.failure(request(String(repeating: "x", count: longest + 1)))
        #expect(failed?.code == .backendRejected)
        #expect(server.received.count == 1)
    }

    @Test("In the body, a value stays one JSON string")
    func body() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let options = HTTPOptions.patient {
            $0.method = .post
            $0.body = Array(#"{"q":"{parameter:q}","last":true}"#.utf8)
        }
        let backend = try HTTPBackend(url: server.url, parameters: ["q"], options: options)
        for value in InjectionStrings.all {
            _ = try await backend.load(request(value))
            let sent = try JSONValue(parsing: try #require(server.bodies.last))
            #expect(sent["q"]?.string?.utf8.elementsEqual(value.utf8) == true)
            #expect(sent["last"] == .bool(true))
            let head = try #require(server.received.last)
            #expect(head.hasPrefix("POST / HTTP/1.1\r\n"))
            #expect(head.components(separatedBy: "\r\n").count == 7)
        }
    }

    @Test("A forwarded header has the client's value. A value with control characters fails")
    func headers() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let options = HTTPOptions.patient { $0.forward = ["x-tenant"] }
        let backend = try HTTPBackend(url: server.url, options: options)
        for value in InjectionStrings.all where value.utf8.count < 1000 {
            let requestCount = server.received.count
            var request = request("")
            request.headers = [HeaderField(name: "x-tenant", value: value)]
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                #expect(await backend.failure(request)?.code == .backendRejected)
                #expect(server.received.count == requestCount)
                continue
            }
            _ = try await backend.load(request)
            let head = try #require(server.received.last)
            let sent = LocalServer.header("x-tenant", in: head)
            #expect(sent?.utf8.elementsEqual(value.utf8) == true)
            #expect(head.components(separatedBy: "\r\n").count == 6)
        }
    }

    @Test("Only the client's headers that `forward` names are sent, and an empty value stays empty")
    func otherHeaders() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let options = HTTPOptions.patient {
            $0.forward = ["accept-language", "x-empty", "x-absent"]
            $0.headers = [
                HeaderField(name: "Authorization", value: "Bearer s3cret"),
                HeaderField(name: "Accept", value: "application/vnd.api+json"),
            ]
        }
        let backend = try HTTPBackend(url: server.url, options: options)
        var request = request("")
        request.headers = [
            HeaderField(name: "accept-language", value: "de, en;q=0.5"),
            HeaderField(name: "x-empty", value: " "),
            HeaderField(name: "authorization", value: "Bearer mine"),
            HeaderField(name: "host", value: "evil"), HeaderField(name: "cookie", value: "a=b"),
            HeaderField(name: "content-length", value: "5"),
            HeaderField(name: "transfer-encoding", value: "chunked"),
        ]
        _ = try await backend.load(
            BackendCall(request, idempotencyKey: "9f2c-1.3", attempt: 2))
        let head = try #require(server.received.first)
        let lines = Set(head.components(separatedBy: "\r\n").dropFirst())
        #expect(
            lines == [
                "Host: 127.0.0.1:\(server.port)", "User-Agent: refreshd",
                "Accept-Encoding: gzip, deflate", "Authorization: Bearer s3cret",
                "Accept: application/vnd.api+json", "accept-language: de, en;q=0.5", "x-empty:",
                "Idempotency-Key: 9f2c-1.3",
            ])
    }

    @Test("A large body is sent without Expect, and a POST without a body sends {}")
    func bodies() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let empty = HTTPOptions.patient { $0.method = .post }
        _ = try await HTTPBackend(url: server.url, options: empty).load(request(""))
        #expect(server.bodies == ["{}"])
        let large = HTTPOptions.patient {
            $0.method = .post
            $0.body = Array("\"\(String(repeating: "x", count: 1_100_000))\"".utf8)
        }
        _ = try await HTTPBackend(url: server.url, options: large).load(request(""))
        #expect(server.bodies.last?.utf8.count == 1_100_002)
        let head = try #require(server.received.last)
        #expect(LocalServer.header("Expect", in: head) == nil)
        #expect(LocalServer.header("Content-Type", in: head) == "application/json")
    }
}
