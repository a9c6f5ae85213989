import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The HTTP client that backends share", .limit)
struct HTTPClientTests {
    private let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)

    /// A server that keeps each connection for any number of requests.
    private static func server(counting connections: Counter) throws -> LocalServer {
        try LocalServer { exchange in
            connections.increment()
            repeat {
                exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            } while exchange.skipRequest()
        }
    }

    @Test("Backends that use one server share its connection")
    func shared() async throws {
        let client = try #require(HTTPClient())
        let connections = Counter()
        let server = try Self.server(counting: connections)
        for path in ["/a", "/b", "/c"] {
            let backend = try HTTPBackend(
                url: server.url + path, options: .patient(), client: client)
            #expect(try await backend.load(request).count == 0)
        }
        #expect(connections.value == 1)
    }

    @Test("If 12 backends call 12 servers in turn, the connection to each server is kept")
    func kept() async throws {
        let client = try #require(HTTPClient())
        let connections = Counter()
        let servers = try (0..<12).map { _ in try Self.server(counting: connections) }
        let backends = try servers.map {
            try HTTPBackend(url: $0.url, options: .patient(), client: client)
        }
        for _ in 0..<3 {
            for backend in backends { #expect(try await backend.load(request).count == 0) }
        }
        #expect(connections.value == servers.count)
    }

    @Test("A backend that is released ends its stream and calls, and those of others go on")
    func released() async throws {
        let client = try #require(HTTPClient())
        let hungUp = (Counter(), Counter())
        func streaming(_ hungUp: Counter) throws -> LocalServer {
            try LocalServer { exchange in
                guard exchange.target == "/changes" else { return exchange.reply(200, "[]") }
                exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                exchange.waitForHangUp()
                hungUp.increment()
            }
        }
        func backend(
            _ server: LocalServer, _ reporter: ChangeStreamReporter
        ) throws -> HTTPBackend {
            try HTTPBackend(
                url: server.url, options: .patient { $0.changes = "\(server.url)/changes" },
                changes: reporter, client: client)
        }
        let servers = try (streaming(hungUp.0), streaming(hungUp.1))
        let notices = FeedNotices()
        let reporters = (
            ChangeStreamReporter(feed: "a", notices: notices),
            ChangeStreamReporter(feed: "b", notices: notices)
        )
        var first: HTTPBackend? = try backend(servers.0, reporters.0)
        let second = try backend(servers.1, reporters.1)
        #expect(await becomesTrue { reporters.0.isConnected && reporters.1.isConnected })
        #expect(try await first?.load(request).count == 0)

        first = nil
        #expect(await becomesTrue { hungUp.0.value == 1 && !reporters.0.isConnected })
        #expect(try await second.load(request).count == 0)
        #expect(reporters.1.isConnected && hungUp.1.value == 0)

        second.stop()
        #expect(await becomesTrue { hungUp.1.value == 1 && !reporters.1.isConnected })
        #expect(try await second.load(request).count == 0)
    }
}
