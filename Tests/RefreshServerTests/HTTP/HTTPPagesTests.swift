import RefreshBroker
import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("HTTP pages")
struct HTTPPagesTests {
    static func pages(
        demo: Bool = true, ready: Bool = true, reported: ReportedFeeds = ReportedFeeds()
    ) throws -> HTTPPages {
        let address = try #require(IPAddress("127.0.0.1"))
        let gate = GatePolicy(
            listeners: [
                BoundListener(address: address, port: 8080),
                BoundListener(address: address, port: 9090, isAdmin: true),
            ], origins: [],
            servesEcho: false, sessionsMax: 1)
        let tokens = AccessTokens(AccessTokensTests.settings)
        let notices = FeedNotices()
        notices.setFeeds(["songs": .init(itemKey: JSONPointer("/id")), "news": .init()])
        notices.setListener { reported.record($0) }
        let changes = ChangeRequests(
            gate: gate, tokens: tokens, feeds: ["songs", "news"], notices: notices)
        return HTTPPages(
            gate: gate, changes: changes, admin: AdminRequests(gate: gate, tokens: tokens),
            servesDemo: demo, isReady: { ready }, metrics: { "numbers 1\n" })
    }

    static func get(
        _ path: String, demo: Bool = true, ready: Bool = true, host: String? = "localhost:8080"
    ) throws -> HTTPResponse {
        try pages(demo: demo, ready: ready).respond(
            to: HTTPRequest(path: path, host: host, localPort: 8080))
    }

    static func header(_ name: String, of response: HTTPResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    static func body(_ response: HTTPResponse) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    @Test("`/healthz` always answers 200, but `/readyz` depends on the state of the daemon")
    func health() throws {
        for ready in [true, false] {
            let health = try Self.get("/healthz", ready: ready)
            #expect(health.status == 200)
            #expect(Self.body(health) == "ok\n")
        }
        #expect(try Self.get("/readyz").status == 200)
        let stopping = try Self.get("/readyz", ready: false)
        #expect(stopping.status == 503)
        #expect(Self.body(stopping) == "draining\n")
    }

    @Test("The metrics page has the text format of Prometheus")
    func metrics() throws {
        let answer = try Self.get("/metrics")
        #expect(answer.status == 200)
        #expect(
            Self.header("content-type", of: answer)
                == "text/plain; version=0.0.4; charset=utf-8")
        #expect(Self.body(answer) == "numbers 1\n")
    }

    @Test(
        "The demo's files have their content types, and are served only with the demo",
        arguments: [
            ("/", "text/html"), ("/index.html", "text/html"), ("/page.css", "text/css"),
            ("/page.js", "text/javascript"), ("/refresh-client.js", "text/javascript"),
            ("/scroll-view.js", "text/javascript"), ("/input-handler.js", "text/javascript"),
            ("/motion.js", "text/javascript"), ("/velocity-tracker.js", "text/javascript"),
            ("/spinner.js", "text/javascript"),
            ("/gallery.html", "text/html"), ("/gallery.css", "text/css"),
            ("/gallery.js", "text/javascript"), ("/local-client.js", "text/javascript"),
            ("/uploads.html", "text/html"), ("/uploads.css", "text/css"),
            ("/uploads.js", "text/javascript"), ("/place-keeper.js", "text/javascript"),
            ("/log.html", "text/html"), ("/log.css", "text/css"), ("/board.html", "text/html"),
            ("/board.css", "text/css"), ("/pages.css", "text/css"),
            ("/board.js", "text/javascript"), ("/element.js", "text/javascript"),
            ("/chat.html", "text/html"), ("/chat.css", "text/css"), ("/chat.js", "text/javascript"),
        ])
    func site(path: String, type: String) throws {
        let answer = try Self.get(path)
        #expect(answer.status == 200)
        #expect(Self.header("content-type", of: answer) == "\(type); charset=utf-8")
        #expect(Self.header("cache-control", of: answer) == "no-cache")
        #expect(try Self.get(path, demo: false).status == 404)
    }

    @Test(
        "A path that is not served gets 404 with JSON",
        arguments: ["/nothing", "/../etc/passwd", "/page.js/", "", "/packages.json", "/echo"])
    func notFound(path: String) throws {
        let answer = try Self.get(path)
        #expect(answer.status == 404)
        #expect(Self.header("content-type", of: answer) == "application/json")
        #expect(Self.body(answer).hasPrefix("{\"code\":\"notFound\""))
    }

    @Test(
        "Only a request that reports a change may have a body",
        arguments: [
            ("POST", "/v1/feeds/songs/changed", 262_144),
            ("POST", "/v1/feeds/a b/changed", 262_144),
            ("GET", "/v1/feeds/songs/changed", 0), ("DELETE", "/v1/feeds/songs/changed", 0),
            ("POST", "/v1/feeds//changed", 0), ("POST", "/v1/feeds/changed", 0),
            ("POST", "/v1/feeds/a/b/changed", 0), ("POST", "/v1/feeds/songs/changed/", 0),
            ("POST", "/v1/feeds/songs", 0), ("POST", "/v1/sessions/a/journal", 0),
            ("POST", "/v1/sessions/a/trace", 0), ("POST", "/", 0), ("POST", "/healthz", 0),
        ])
    func bodies(method: String, path: String, bytes: Int) throws {
        // On the `admin` listener, no token is needed.
        let request = HTTPRequest(
            method: method, path: path, host: "localhost:9090", localPort: 9090)
        switch try Self.pages().bodyDecision(for: request) {
        case .read(let bytesMax): #expect(bytesMax == bytes)
        case .refuse(let refusal): #expect(refusal.status == 404 && bytes > 0, "\(path)")
        }
    }

    @Test(
        "A report is refused before its body is read, as it is without a body",
        arguments: [
            ("songs", nil, nil, 401), ("songs", "library", nil, 403), ("gone", "all", nil, 404),
            ("songs", "deploy", "https://evil.example", 403), ("songs", "deploy", nil, nil),
        ] as [(String, String?, String?, Int?)])
    func refusedBodies(feed: String, token: String?, origin: String?, status: Int?) throws {
        let request = HTTPRequest(
            method: "POST", path: "/v1/feeds/\(feed)/changed", host: "localhost:8080",
            origin: origin, authorization: token.map { "Bearer \($0)" }, localPort: 8080)
        let pages = try Self.pages()
        switch pages.bodyDecision(for: request) {
        case .read(let bytesMax): #expect(status == nil && bytesMax == 262_144)
        case .refuse(let refusal):
            #expect(refusal.status == status && refusal == pages.respond(to: request))
        }
    }

    @Test("A request for a session without an upgrade gets an explanation")
    func plainSession() throws {
        let answer = try Self.get("/v1/session")
        #expect(answer.status == 400)
        #expect(Self.body(answer).contains("\"notWebSocket\""))
    }

    @Test(
        "No page is served under a foreign host name",
        arguments: ["/", "/healthz", "/readyz", "/metrics", "/nothing"])
    func rebinding(path: String) throws {
        let answer = try Self.get(path, host: "evil.example:8080")
        #expect(answer.status == 400)
        #expect(Self.body(answer).hasPrefix("{\"code\":\"hostNotAllowed\""))
        #expect(try Self.get(path, host: nil).status == 400)
    }

    @Test("Every answer forbids framing, foreign scripts and content sniffing")
    func safety() throws {
        let paths = ["/", "/page.js", "/healthz", "/metrics", "/nothing"]
        for answer in try paths.map({ try Self.get($0) }) {
            let policy = try #require(Self.header("content-security-policy", of: answer))
            for part in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'",
                "connect-src 'self'", "img-src 'self' data:", "frame-ancestors 'none'",
            ] {
                #expect(policy.contains(part))
            }
            #expect(Self.header("x-content-type-options", of: answer) == "nosniff")
        }
    }
}
