import Cryptography
import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Requests to the admin interface")
struct AdminRequestTests {
    static func requests() throws -> AdminRequests {
        let address = try #require(IPAddress("127.0.0.1"))
        let gate = GatePolicy(
            listeners: [
                BoundListener(address: address, port: 8080),
                BoundListener(address: address, port: 9090, isAdmin: true),
            ], origins: [], servesEcho: false, sessionsMax: 1)
        let tokens = [
            AccessTokenSettings(
                name: "operator", sha256: SHA256.digest(of: Array("master".utf8)),
                may: [.administer]),
            AccessTokenSettings(
                name: "others", sha256: SHA256.digest(of: Array("others".utf8)),
                may: [.work, .change, .connect]),
        ]
        return AdminRequests(gate: gate, tokens: AccessTokens(tokens))
    }

    private static func verdict(
        _ path: String, _ method: String = "GET", query: String = "", token: String? = nil,
        origin: String? = nil, host: String? = nil, port: UInt16 = 9090
    ) throws -> AdminRequests.Verdict {
        try requests().verdict(
            on: HTTPRequest(
                method: method, path: path, query: query, host: host ?? "localhost:\(port)",
                origin: origin,
                authorization: token.map { "Bearer \($0)" }, localPort: port))
    }

    private static func status(_ verdict: AdminRequests.Verdict) -> Int? {
        if case .refused(let response) = verdict { response.status } else { nil }
    }

    @Test("Each path and method maps to its request")
    func orders() throws {
        #expect(try Self.verdict("/v1/sessions") == .granted(.list(after: nil)))
        #expect(try Self.verdict("/v1/sessions", "HEAD") == .granted(.list(after: nil)))
        #expect(
            try Self.verdict("/v1/sessions", query: "x=1&after=ab&after=cd")
                == .granted(.list(after: "ab")))
        #expect(
            try Self.verdict("/v1/sessions", query: "after=") == .granted(.list(after: nil)))
        #expect(try Self.verdict("/v1/sessions/ab") == .granted(.describe(session: "ab")))
        #expect(
            try Self.verdict("/v1/sessions/ab/trace", "POST")
                == .granted(.trace(session: "ab", isOn: true)))
        #expect(
            try Self.verdict("/v1/sessions/ab/trace", "DELETE")
                == .granted(.trace(session: "ab", isOn: false)))
        #expect(
            try Self.verdict("/v1/sessions", query: "cluster=true&after=ab")
                == .granted(.list(after: "ab", ofCluster: true)))
        #expect(
            try Self.verdict("/v1/sessions", query: "cluster=1") == .granted(.list(after: nil)))
        #expect(try Self.verdict("/v1/cluster") == .granted(.cluster))
        for (method, isOn) in [("POST", true), ("DELETE", false)] {
            #expect(
                try Self.verdict("/v1/sessions/ab/journal", method)
                    == .granted(.journal(session: "ab", isOn: isOn)))
        }
    }

    @Test(
        "A hostile session name is treated as an unknown name",
        arguments: [
            "\u{0}", "../../etc/passwd", "%2e%2e", "\r\nx: y", "\u{202E}abc", "é", "e\u{301}",
            "sessions", String(repeating: "a", count: 10_000), "\"}{", "ab?after=x", " ",
        ])
    func hostileNames(name: String) throws {
        switch try Self.verdict("/v1/sessions/" + name) {
        case .granted(.describe(let session)):
            #expect(!session.contains("/"))
            #expect(session.hasBytes(of: name))
        case .refused(let response):
            #expect(response.status == 404)
            #expect(name.contains("/"))
        default:
            Issue.record(
                "the verdict is neither `describe` nor a refusal: \(name.debugDescription)")
        }
    }

    @Test(
        "A method that is not served gets 405 with the served methods, and an unknown path gets 404",
        arguments: [
            ("/v1/sessions", "POST", 405, "GET, HEAD"),
            ("/v1/sessions", "DELETE", 405, "GET, HEAD"),
            ("/v1/sessions/ab", "DELETE", 405, "GET, HEAD"),
            ("/v1/sessions/ab/trace", "GET", 405, "POST, DELETE"),
            ("/v1/sessions/ab/journal", "GET", 405, "POST, DELETE"),
            ("/v1/cluster", "POST", 405, "GET, HEAD"),
            ("/v1/watch", "POST", 405, "GET, HEAD"), ("/v1/watch", "GET", 400, nil),
            ("/v1/sessions/", "GET", 404, nil), ("/v1/sessions//trace", "POST", 404, nil),
            ("/v1/sessions/ab/", "GET", 404, nil), ("/v1/sessions/ab/shoot", "POST", 404, nil),
            ("/v1/sessions/ab/trace/x", "POST", 404, nil),
        ] as [(String, String, Int, String?)])
    func methods(path: String, method: String, status: Int, allowed: String?) throws {
        let verdict = try Self.verdict(path, method)
        #expect(Self.status(verdict) == status)
        guard case .refused(let response) = verdict else { return }
        #expect(HTTPPagesTests.header("allow", of: response) == allowed)
    }

    @Test("Paths outside the admin interface are left to other handlers")
    func foreign() throws {
        for path in [
            "/", "/metrics", "/v1/session", "/v1/sessionsx", "/v1/clusters", "/v1/feeds/a/changed",
        ] {
            #expect(try Self.verdict(path) == .foreign)
        }
    }

    @Test(
        "On a public listener, a request without a token that permits it receives no data",
        arguments: [
            ("/v1/sessions", nil, 401), ("/v1/sessions", "wrong", 401),
            ("/v1/sessions", "others", 403), ("/v1/sessions", "master", nil),
            ("/v1/sessions/ab", nil, 401), ("/v1/sessions/ab", "others", 403),
            ("/v1/sessions/a/b/c", nil, 401), ("/v1/cluster", nil, 401),
            ("/v1/cluster", "others", 403),
            ("/v1/watch", nil, 401), ("/v1/watch", "master", 400),
        ] as [(String, String?, Int?)])
    func tokens(path: String, token: String?, status: Int?) throws {
        let verdict = try Self.verdict(path, token: token, port: 8080)
        #expect(Self.status(verdict) == status)
        guard case .refused(let response) = verdict else { return }
        #expect(
            (HTTPPagesTests.header("www-authenticate", of: response) == "Bearer")
                == (status == 401))
    }

    @Test("A foreign origin or host is refused, even on the operators' listener")
    func foreignPages() throws {
        for port: UInt16 in [8080, 9090] {
            let page = try Self.verdict(
                "/v1/sessions", token: "master", origin: "https://evil.example", port: port)
            #expect(Self.status(page) == 403)
            let host = try Self.verdict(
                "/v1/sessions", token: "master", host: "evil.example", port: port)
            #expect(Self.status(host) == 400)
        }
    }

    @Test("An upgrade to `/v1/watch` obeys the rules of admin requests and the limit of watchers")
    func watch() throws {
        func refusal(
            token: String? = nil, origin: String? = nil, port: UInt16 = 8080,
            hasPlace: Bool = true
        ) throws -> GateRefusal? {
            try Self.requests().refusal(
                ofWatch: UpgradeRequest(
                    path: "/v1/watch", host: "localhost:\(port)", origin: origin,
                    authorization: token.map { "Bearer \($0)" }, localPort: port),
                hasPlace: hasPlace)
        }
        #expect(try refusal() == .tokenRequired)
        #expect(try refusal(token: "others") == .tokenNotAllowed)
        #expect(try refusal(token: "master") == nil)
        #expect(try refusal(port: 9090) == nil)
        #expect(try refusal(port: 9090, hasPlace: false) == .tooManyWatchers)
        #expect(try refusal(hasPlace: false) == .tokenRequired)
        #expect(try refusal(origin: "https://evil.example", port: 9090) == .originNotAllowed)
    }
}
