import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Redirects of the http backend")
struct HTTPRedirectTests {
    private let request = LoadRequest(feed: "h", kind: .more, page: 2, offset: 20, size: 20)

    private func following(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPOptions {
        .patient {
            $0.redirects = 5
            change(&$0)
        }
    }

    @Test("By default, a redirect is not followed")
    func unconfigured() async throws {
        let server = try LocalServer { $0.reply(302, "", headers: "Location: /there\r\n") }
        let failed = try await HTTPBackend(url: server.url, options: .patient()).failure(request)
        #expect(failed == LoadFailure(.backendRejected, "The backend answered 302."))
        #expect(server.received.count == 1)
    }

    @Test(
        "A redirect to the same server is followed, however the URL is written",
        arguments: ["/there", "//HOST/there", "http://HOST/there", "HTTP://HOST/there", "there"])
    func same(location: String) async throws {
        let server = try LocalServer { exchange in
            guard exchange.target == "/there" else {
                let host = exchange.header("Host") ?? ""
                let target = location.replacingOccurrences(of: "HOST", with: host)
                return exchange.reply(302, "", headers: "Location: \(target)\r\n")
            }
            exchange.reply(200, "[1]")
        }
        let backend = try HTTPBackend(url: server.url + "/web", options: following())
        #expect(try await backend.load(request).items == Array("[1]".utf8))
        #expect(server.received.count == 2)
    }

    @Test(
        "A redirect to another port, host, scheme or user is never followed",
        arguments: [
            "http://127.0.0.1:OTHER/there", "http://127.0.0.1/there", "http://localhost:PORT/there",
            "https://127.0.0.1:PORT/there", "file:///etc/passwd", "ftp://127.0.0.1:PORT/",
            "gopher://127.0.0.1:OTHER/_x", "dict://127.0.0.1:OTHER/", "javascript:alert(1)",
            "http://user:secret@127.0.0.1:PORT/there", "http://127.0.0.1:PORT@127.0.0.1:OTHER/",
            "http://127.0.0.1:OTHER\\@127.0.0.1:PORT/", "data:application/json,[1]",
            "http://[::1]:PORT/",
        ])
    func elsewhere(location: String) async throws {
        let other = try LocalServer { $0.reply(200, "[\"stolen\"]") }
        let otherPort = String(other.port)
        let server = try LocalServer { exchange in
            guard exchange.target == "/web" else { return exchange.reply(200, "[\"wrong\"]") }
            let port = exchange.header("Host")?.split(separator: ":").last.map(String.init) ?? ""
            let target = location.replacingOccurrences(of: "OTHER", with: otherPort)
                .replacingOccurrences(of: "PORT", with: port)
            exchange.reply(302, "", headers: "Location: \(target)\r\n")
        }
        let backend = try HTTPBackend(url: server.url + "/web", options: following())
        let failed = await backend.failure(request)
        #expect(failed?.code == .backendRejected)
        #expect(failed?.message.contains("127") == false)
        #expect(other.received.isEmpty)
        #expect(server.received.count == 1)
    }

    @Test("An endless chain of redirects ends after the permitted number", arguments: 0...5)
    func circle(redirects: Int) async throws {
        let server = try LocalServer { $0.reply(302, "", headers: "Location: /again\r\n") }
        let options = HTTPOptions.patient { $0.redirects = redirects }
        let backend = try HTTPBackend(url: server.url, options: options)
        #expect(await backend.failure(request)?.code == .backendRejected)
        #expect(server.received.count == redirects + 1)
    }

    @Test("All redirects of a call share the total timeout")
    func slowCircle() async throws {
        let server = try LocalServer { exchange in
            usleep(150_000)
            exchange.reply(307, "", headers: "Location: /again\r\n")
        }
        let backend = try HTTPBackend(
            url: server.url, options: following { $0.totalTimeoutMs = 400 })
        #expect(await backend.failure(request)?.code == .backendTimedOut)
        #expect(server.received.count < 5)
    }

    @Test(
        "After 307 and 308 a POST is repeated, and after other statuses it becomes a GET",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func post(status: Int, method: String) async throws {
        let server = try LocalServer { exchange in
            guard exchange.target == "/there" else {
                return exchange.reply(status, "", headers: "Location: /there\r\n")
            }
            exchange.reply(200, "[1]")
        }
        let options = following {
            $0.method = .post
            $0.body = Array(#"["{page}"]"#.utf8)
            $0.headers = [HeaderField(name: "X-Key", value: "k")]
        }
        let backend = try HTTPBackend(url: server.url, options: options)
        _ = try await backend.load(BackendCall(request, idempotencyKey: "i"))
        let head = try #require(server.received.last)
        #expect(head.hasPrefix("\(method) /there HTTP/1.1\r\n"))
        #expect(server.bodies == ["[2]", method == "POST" ? "[2]" : ""])
        #expect(LocalServer.header("X-Key", in: head) == "k")
        #expect(LocalServer.header("Idempotency-Key", in: head) == "i")
    }

    @Test("A redirect without a Location fails")
    func placeless() async throws {
        let server = try LocalServer { $0.reply(302, "[1]") }
        let backend = try HTTPBackend(url: server.url, options: following())
        #expect(await backend.failure(request)?.code == .backendRejected)
    }
}
