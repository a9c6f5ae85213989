import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport

@testable import RefreshServer

/// Collects the reported changes from any thread.
final class ReportedFeeds: Sendable {
    private let changes = Mutex<[FeedChange]>([])

    func record(_ change: FeedChange) { changes.withLock { $0.append(change) } }

    /// The names of the feeds.
    var all: [String] { changes.withLock { $0.map(\.feed) } }
    /// The reported changes.
    var reports: [FeedChange] { changes.withLock { $0 } }
    /// The numbers of newer items.
    var counts: [NewerCount] { changes.withLock { $0.map(\.count) } }
}

@Suite("POST changed")
struct ChangeRequestTests {
    private static func answer(
        _ path: String, _ method: String = "POST", token: String? = nil, origin: String? = nil,
        port: UInt16 = 8080, body: String = "", reported: ReportedFeeds = ReportedFeeds()
    ) throws -> HTTPResponse {
        try HTTPPagesTests.pages(reported: reported).respond(
            to: HTTPRequest(
                method: method, path: path, host: "localhost:\(port)", origin: origin,
                authorization: token.map { "Bearer \($0)" }, localPort: port, body: Array(body.utf8)
            ))
    }

    @Test("With a token that may change the feed, the request gets 204 and the change is reported")
    func allowed() throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer("/v1/feeds/songs/changed", token: "deploy", reported: reported)
        #expect(answer.status == 204)
        #expect(answer.body == [])
        #expect(reported.all == ["songs"])
    }

    @Test(
        "Without a token that permits a change of the feed, no change is reported",
        arguments: [
            ("songs", nil, 401), ("songs", "wrong", 401), ("nofeed", nil, 401),
            ("songs", "library", 403), ("news", "deploy", 403), ("nofeed", "deploy", 403),
            ("gone", "deploy", 404), ("nofeed", "all", 404),
        ] as [(String, String?, Int)])
    func refused(feed: String, token: String?, status: Int) throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer("/v1/feeds/\(feed)/changed", token: token, reported: reported)
        #expect(answer.status == status)
        #expect(
            (HTTPPagesTests.header("www-authenticate", of: answer) == "Bearer") == (status == 401))
        #expect(reported.all == [])
    }

    @Test(
        "The body can state the number of newer items",
        arguments: [
            ("", nil), ("{}", nil), (#"{"count":null}"#, nil), (#"{"count":3}"#, 3),
            (#" {"more":[1],"count":0} "#, 0), (#"{"count":9e30}"#, 1_000_000),
        ] as [(String, Int?)])
    func count(_ body: String, _ count: Int?) throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer(
            "/v1/feeds/songs/changed", token: "deploy", body: body, reported: reported)
        #expect(answer.status == 204)
        #expect(reported.counts == [NewerCount(count)])
    }

    @Test(
        "A body that is malformed gets 400, and no change is reported",
        arguments: ["3", "[]", "{", #"{"count":-1}"#, #"{"count":1.5}"#, #"{"count":"3"}"#, "\0"])
    func malformedBody(_ body: String) throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer(
            "/v1/feeds/songs/changed", token: "deploy", body: body, reported: reported)
        #expect(answer.status == 400)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("bodyMalformed"))
        #expect(reported.all == [])
    }

    @Test("The body can state what has changed")
    func operations() throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer(
            "/v1/feeds/songs/changed", token: "deploy",
            body: #"{"operations":[{"remove":12},{"insert":{"id":3},"at":"start"}]}"#,
            reported: reported)
        #expect(answer.status == 204)
        #expect(reported.counts == [NewerCount(1)])
        #expect(reported.reports.first?.items?.first?.operations.map(\.kind) == [.remove, .insert])
    }

    @Test(
        "A report that is not as described gets the explanation, and no change is reported",
        arguments: [
            ("songs", #"{"operations":[{"remove":1.5}]}"#, 400, "bodyMalformed", "operations[0]"),
            ("news", #"{"operations":[{"remove":1}]}"#, 409, "noItemKey", "itemKey"),
            ("songs", String(repeating: " ", count: 262_145), 413, "tooLarge", "262144"),
        ])
    func refusedOperations(
        feed: String, body: String, status: Int, code: String, part: String
    ) throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer(
            "/v1/feeds/\(feed)/changed", port: 9090, body: body, reported: reported)
        #expect(answer.status == status)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("\"\(code)\"") && text.contains(part), "\(text)")
        #expect(reported.all == [])
    }

    @Test("On the operators' listener, no token is needed")
    func admin() throws {
        let reported = ReportedFeeds()
        #expect(
            try Self.answer("/v1/feeds/news/changed", port: 9090, reported: reported).status == 204)
        #expect(
            try Self.answer("/v1/feeds/gone/changed", port: 9090, reported: reported).status == 404)
        #expect(reported.all == ["news"])
    }

    @Test("A foreign page is refused, even on the operators' listener")
    func foreignPage() throws {
        let reported = ReportedFeeds()
        for port: UInt16 in [8080, 9090] {
            let answer = try Self.answer(
                "/v1/feeds/songs/changed", token: "all", origin: "https://evil.example",
                port: port, reported: reported)
            #expect(answer.status == 403)
        }
        #expect(reported.all == [])
    }

    @Test("The operators' listener serves health, readiness, metrics and no other page")
    func adminPages() throws {
        for path in ["/healthz", "/readyz", "/metrics"] {
            #expect(try Self.answer(path, "GET", port: 9090).status == 200)
        }
        for path in ["/", "/index.html", "/v1/session", "/echo", "/v1/worker"] {
            #expect(try Self.answer(path, "GET", port: 9090).status == 404)
        }
    }

    @Test(
        "Other methods get 405 with the served methods",
        arguments: [
            ("GET", "/v1/feeds/songs/changed", "POST"), ("HEAD", "/v1/feeds/songs/changed", "POST"),
            ("POST", "/", "GET, HEAD"), ("POST", "/healthz", "GET, HEAD"),
            ("POST", "/v1/feeds/songs", "GET, HEAD"), ("POST", "/v1/feeds//changed", "GET, HEAD"),
            ("POST", "/v1/feeds/a/b/changed", "GET, HEAD"), ("POST", "/v1/session", "GET, HEAD"),
        ])
    func methods(method: String, path: String, allowed: String) throws {
        let reported = ReportedFeeds()
        let answer = try Self.answer(path, method, token: "all", reported: reported)
        #expect(answer.status == 405)
        #expect(HTTPPagesTests.header("allow", of: answer) == allowed)
        #expect(reported.all == [])
    }
}
