import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Streams of changes over HTTP", .limit)
struct ChangeStreamTests {
    /// What a stream has reported.
    private final class Record: Sendable {
        private let state = Mutex<(changes: [FeedChange], events: [ChangeStreamReporter.Event])>(
            ([], []))
        let notices = FeedNotices()

        var changes: [FeedChange] { state.withLock { $0.changes } }
        var events: [ChangeStreamReporter.Event] { state.withLock { $0.events } }

        init() {
            notices.setFeeds(["orders": .init(itemKey: JSONPointer("/id"))])
            notices.setListener { [weak self] change in
                self?.state.withLock { $0.changes.append(change) }
            }
        }

        func reporter() -> ChangeStreamReporter {
            ChangeStreamReporter(feed: "orders", notices: notices) { [weak self] event in
                self?.state.withLock { $0.events.append(event) }
            }
        }
    }

    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    private static func backend(
        _ server: LocalServer, _ reporter: ChangeStreamReporter,
        _ change: (inout HTTPOptions) -> Void = { _ in }
    ) throws -> HTTPBackend {
        try HTTPBackend(
            url: server.url,
            options: .patient {
                $0.changes = "\(server.url)/changes"
                change(&$0)
            }, changes: reporter)
    }

    private static func insertion(_ id: Int) -> String {
        #"{"operations":[{"insert":{"id":\#(id)},"at":"start"}]}"#
    }

    @Test("Events arrive as reports, also with comments between them, and end with the backend")
    func events() async throws {
        let record = Record()
        let hungUp = Counter()
        let server = try LocalServer { exchange in
            exchange.send(Self.head)
            exchange.send(": hello\n\ndata: \(Self.insertion(1))\n\n")
            exchange.waitForHangUp()
            hungUp.increment()
        }
        let reporter = record.reporter()
        let backend = try Self.backend(server, reporter) {
            $0.headers = [
                HeaderField(name: "X-Key", value: "k"), HeaderField(name: "Accept", value: "a/b"),
            ]
        }
        #expect(await becomesTrue { record.changes.count == 2 })
        #expect(record.changes.map(\.count) == [.unknown, NewerCount(1)])
        #expect(record.changes[1].items?.first?.operations.map(\.kind) == [.insert])
        #expect(record.changes.allSatisfy { $0.feed == "orders" && $0.reachesEveryNode })
        #expect(record.events == [.opened])
        #expect(reporter.isConnected && reporter.faults == 0)
        let request = try #require(server.received.first)
        #expect(request.hasPrefix("GET /changes HTTP/1.1"))
        #expect(LocalServer.header("Accept", in: request) == "text/event-stream")
        #expect(LocalServer.header("X-Key", in: request) == "k")
        #expect(LocalServer.header("Last-Event-ID", in: request) == nil)
        backend.stop()
        #expect(await becomesTrue { hungUp.value == 1 && !reporter.isConnected })
    }

    @Test("If the connection breaks in an event, the next one continues after the last event")
    func breaks() async throws {
        let record = Record()
        let connections = Counter()
        let server = try LocalServer { exchange in
            exchange.send(Self.head)
            connections.increment()
            if connections.value == 1 {
                let event = "retry: 100\nid: a1\ndata: \(Self.insertion(1))\n\n"
                exchange.send(event + "id: a2\ndata: {\"oper")
            } else {
                exchange.send("data: \(Self.insertion(2))\n\n")
                exchange.waitForHangUp()
            }
        }
        let backend = try Self.backend(server, record.reporter())
        #expect(await becomesTrue { record.changes.count == 3 })
        #expect(record.changes.map(\.count) == [.unknown, NewerCount(1), NewerCount(1)])
        #expect(LocalServer.header("Last-Event-ID", in: server.received[1]) == "a1")
        #expect(record.events.count == 3 && record.events.last == .opened)
        backend.stop()
    }

    @Test("Garbage and reports that are not as described are changes without operations")
    func garbage() async throws {
        let record = Record()
        let server = try LocalServer { exchange in
            exchange.send(Self.head)
            exchange.send([0xFF, 0x00, 0x0A, 0xC3])
            exchange.send("\ndata: \(Self.insertion(1)) x\n\ndata: [1]\n\n")
            exchange.send(#"data: {"operations":[{"remove":1.5}]}"# + "\n\n")
            exchange.waitForHangUp()
        }
        let reporter = record.reporter()
        let backend = try Self.backend(server, reporter)
        #expect(await becomesTrue { reporter.faults == 3 && record.changes.count > 1 })
        #expect(record.changes.allSatisfy { $0.items == nil && $0.count == .unknown })
        backend.stop()
    }

    @Test("An endless line ends the connection")
    func endlessLine() async throws {
        let record = Record()
        let server = try LocalServer { exchange in
            exchange.send(Self.head)
            let piece = [UInt8](repeating: 0x78, count: 65_536)
            while exchange.send(piece) {}
        }
        let reporter = record.reporter()
        let backend = try Self.backend(server, reporter)
        #expect(await becomesTrue { record.events.count == 2 })
        #expect(record.events.last == .failed(reason: "A line or an event is too large."))
        backend.stop()
        // The stream may have missed changes before it was opened, and after the line.
        #expect(await becomesTrue { record.changes.count == 2 })
        #expect(record.changes.allSatisfy { $0.items == nil } && reporter.faults == 1)
    }

    @Test("Many events are reported at most every 100 ms, and those that wait as one change")
    func pace() throws {
        func at(_ milliseconds: Double) -> Instant { Instant(milliseconds: milliseconds) }
        let record = Record()
        var stream = ChangeStream(
            url: "http://h/", options: HTTPOptions(), reporter: record.reporter(), seed: 1,
            at: at(0))
        let orders = stream.handle(.clockAdvanced, at: at(0))
        #expect(orders.count == 1)
        _ = stream.handle(.answered(status: 200, contentType: "text/event-stream"), at: at(0))
        #expect(record.changes.map(\.count) == [.unknown])
        for id in 1...100 {
            let event = Array("data: \(Self.insertion(id))\n\n".utf8)
            _ = stream.handle(.received(event), at: at(Double(id) / 2))
        }
        #expect(record.changes.count == 1 && stream.nextDeadline == at(100))
        _ = stream.handle(.clockAdvanced, at: at(100))
        #expect(record.changes.map(\.count) == [.unknown, NewerCount(100)])
        #expect(record.changes.last?.items?.first?.operations.count == 100)
        #expect(record.changes.allSatisfy { $0.reachesEveryNode })
        _ = stream.handle(.received(Array("data\n\n".utf8)), at: at(150))
        #expect(record.changes.count == 2)
        stream.end()
        #expect(record.changes.count == 3, "a change that waits is lost at the end")
    }

    @Test("After the status 204, the backend does not connect again, and still answers loads")
    func noContent() async throws {
        let record = Record()
        let server = try LocalServer { exchange in
            if exchange.target == "/changes" {
                exchange.send("HTTP/1.1 204 X\r\nConnection: close\r\n\r\n")
            } else {
                exchange.reply(200, "[1]")
            }
        }
        let backend = try Self.backend(server, record.reporter())
        #expect(await becomesTrue { record.events == [.stopped] })
        let page = try await backend.load(
            LoadRequest(feed: "orders", kind: .refresh, page: 1, offset: 0, size: 20))
        #expect(page.count == 1)
        #expect(server.received.filter { $0.hasPrefix("GET /changes") }.count == 1)
        backend.stop()
    }

    @Test(
        "The URL of a stream is checked",
        arguments: [
            "http://h/{page}", "ftp://h/", "http://u:p@h/", "http://h/#x", "h", "http://",
        ])
    func url(text: String) {
        let error = #expect(throws: BackendConfigurationError.self) {
            try HTTPBackend.check(
                url: "http://h/", parameters: [], options: .patient { $0.changes = text })
        }
        #expect(error?.key == "changes.url")
    }
}
