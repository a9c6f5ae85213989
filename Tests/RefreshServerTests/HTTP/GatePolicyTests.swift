import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Admission of requests")
struct GatePolicyTests {
    static func listener(_ address: String, _ port: UInt16) throws -> BoundListener {
        BoundListener(address: try #require(IPAddress(address)), port: port)
    }

    /// A gate with listeners on loopback with port 8080 (IPv4 and IPv6), and on all IPv4 addresses
    /// with port 9000.
    static func gate(demo: Bool = true, echo: Bool = false, sessionsMax: Int = 10) throws
        -> GatePolicy
    {
        let listed = ["https://app.example.org", "http://lan.example:8000"]
        return GatePolicy(
            listeners: [
                try listener("127.0.0.1", 8080), try listener("::1", 8080),
                try listener("0.0.0.0", 9000),
            ],
            origins: Set(listed.compactMap { WebOrigin($0) }), servesDemo: demo,
            proxies: TrustedProxies([AddressRange("127.0.0.9")].compactMap(\.self)),
            servesEcho: echo, sessionsMax: sessionsMax)
    }

    struct HostCase: Sendable {
        var host: String?
        var localAddress: String
        var refusal: GateRefusal?

        init(_ host: String?, _ localAddress: String, _ refusal: GateRefusal?) {
            self.host = host
            self.localAddress = localAddress
            self.refusal = refusal
        }
    }

    @Test(
        "On a loopback listener, the `Host` of a request is checked",
        arguments: [
            HostCase("127.0.0.1:8080", "127.0.0.1", nil),
            HostCase("127.9.9.9:8080", "127.0.0.1", nil),
            HostCase("localhost:8080", "127.0.0.1", nil),
            HostCase("LocalHost:8080", "127.0.0.1", nil),
            HostCase("[::1]:8080", "127.0.0.1", nil),
            HostCase("[::1]:8080", "::1", nil),
            HostCase("localhost:8080", "::1", nil),
            HostCase("localhost:8081", "127.0.0.1", .hostNotAllowed),
            HostCase("localhost", "127.0.0.1", .hostNotAllowed),
            HostCase("rebound.example:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("localhost.example:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("x.localhost:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("localhost.:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("127.0.0.1.example:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("0x7f000001:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("192.0.2.1:8080", "127.0.0.1", .hostNotAllowed),
            HostCase("[::2]:8080", "::1", .hostNotAllowed),
            HostCase("rebound.example:8080", "::1", .hostNotAllowed),
            HostCase(nil, "127.0.0.1", .hostMalformed),
            HostCase("", "127.0.0.1", .hostMalformed),
            HostCase(":8080", "127.0.0.1", .hostMalformed),
            HostCase("localhost:port", "127.0.0.1", .hostMalformed),
            HostCase("localhost:65536", "127.0.0.1", .hostMalformed),
            HostCase("::1:8080", "127.0.0.1", .hostMalformed),
            HostCase("user@localhost:8080", "127.0.0.1", .hostNotAllowed),
            // On a public listener any host name is accepted, and only the origin is checked.
            HostCase("list.example.org", "192.0.2.7", nil),
            HostCase(nil, "192.0.2.7", .hostMalformed),
            // 127.0.0.2 is reachable only through 0.0.0.0:9000, which is not a loopback listener.
            HostCase("list.example.org", "127.0.0.2", nil),
        ])
    func host(_ test: HostCase) throws {
        let gate = try Self.gate()
        #expect(
            gate.refusal(host: test.host, localAddress: test.localAddress, localPort: 8080)
                == test.refusal)
    }

    @Test("The `Host` must name the port of the connection, not that of another listener")
    func ownPort() throws {
        let gate = GatePolicy(
            listeners: [
                try Self.listener("127.0.0.1", 8080), try Self.listener("127.0.0.1", 8081),
                BoundListener(
                    address: try #require(IPAddress("127.0.0.1")), port: 9100, isAdmin: true),
            ],
            origins: [], servesDemo: true, servesEcho: false, sessionsMax: 10)
        for host in [8080, 8081, 9100] {
            for port in [8080, 8081, 9100] as [UInt16] {
                let wanted: GateRefusal? = host == Int(port) ? nil : .hostNotAllowed
                let authority = "localhost:\(host)"
                #expect(
                    gate.refusal(host: authority, localAddress: "127.0.0.1", localPort: port)
                        == wanted)
                let route = gate.route(
                    path: "/v1/session", host: authority, origin: "http://\(authority)",
                    localAddress: "127.0.0.1", localPort: port, usage: .init())
                #expect(route == (wanted.map { .failure($0) } ?? .success(.session)))
            }
        }
    }

    struct OriginCase: Sendable {
        var origin: String?
        var localAddress: String
        var isAdmitted: Bool
        var host: String

        init(
            _ origin: String?, _ localAddress: String, _ isAdmitted: Bool,
            host: String = "localhost:8080"
        ) {
            self.origin = origin
            self.localAddress = localAddress
            self.isAdmitted = isAdmitted
            self.host = host
        }
    }

    @Test(
        "A page is admitted if its origin is listed or is the daemon's own",
        arguments: [
            OriginCase(nil, "127.0.0.1", true),
            OriginCase("http://127.0.0.1:8080", "127.0.0.1", true, host: "127.0.0.1:8080"),
            OriginCase("http://127.0.0.1:8080", "127.0.0.1", false),
            OriginCase("http://localhost:8080", "127.0.0.1", false, host: "127.0.0.1:8080"),
            OriginCase("http://localhost:8080", "127.0.0.1", true),
            OriginCase("http://[::1]:8080", "::1", true, host: "[::1]:8080"),
            OriginCase("https://localhost:8080", "127.0.0.1", false),
            OriginCase("http://localhost:3000", "127.0.0.1", false),
            OriginCase("http://localhost", "127.0.0.1", false),
            OriginCase("http://evil.example:8080", "127.0.0.1", false),
            OriginCase("http://localhost.evil.example:8080", "127.0.0.1", false),
            OriginCase("http://localhost:8080@evil.example", "127.0.0.1", false),
            OriginCase("null", "127.0.0.1", false),
            OriginCase("", "127.0.0.1", false),
            OriginCase("http://localhost:8080/", "127.0.0.1", false),
            OriginCase("https://app.example.org", "127.0.0.1", true),
            OriginCase("https://app.example.org:443", "127.0.0.1", true),
            OriginCase("HTTPS://APP.EXAMPLE.ORG", "127.0.0.1", true),
            OriginCase("http://app.example.org", "127.0.0.1", false),
            OriginCase("https://app.example.org.evil.example", "127.0.0.1", false),
            OriginCase("http://lan.example:8000", "127.0.0.1", true),
            OriginCase("http://localhost:9000", "192.0.2.7", false),
            OriginCase("https://app.example.org", "192.0.2.7", true),
        ])
    func origin(_ test: OriginCase) throws {
        let result = try Self.gate().route(
            path: "/v1/session", host: test.host, origin: test.origin,
            localAddress: test.localAddress, localPort: 8080, usage: .init())
        #expect(result == (test.isAdmitted ? .success(.session) : .failure(.originNotAllowed)))
    }

    @Test("Behind a local proxy, a page from the `localhost` of a visitor is not the daemon's page")
    func ownPage() throws {
        typealias Peer = GatePolicy.Peer
        func isAdmitted(
            _ peer: Peer, demo: Bool = true, host: String = "localhost:8080",
            origin: String = "http://localhost:8080", isEncrypted: Bool = false
        ) throws -> Bool {
            try Self.gate(demo: demo).originPolicy.isOriginAllowed(
                origin, host: host, peer: peer, isEncrypted: isEncrypted)
        }
        #expect(try isAdmitted(.local))
        #expect(try isAdmitted(Peer(address: "::1")))
        // The proxy is listed, or reveals itself by a header.
        #expect(try !isAdmitted(Peer(address: "127.0.0.9")))
        #expect(try !isAdmitted(Peer(address: "127.0.0.1", isForwarding: true)))
        // The proxy reveals nothing, but asks for another host name or port than that of the page.
        #expect(try !isAdmitted(.local, host: "127.0.0.1:8080"))
        #expect(try !isAdmitted(.local, origin: "http://localhost:3000"))
        #expect(try !isAdmitted(.local, host: "lists.example.org"))
        // The daemon has no page, or the page comes from another machine's loopback address.
        #expect(try !isAdmitted(.local, demo: false))
        #expect(try !isAdmitted(Peer(address: "192.0.2.7")))
        #expect(try !isAdmitted(Peer(address: "")))
        // Listed origins are admitted as usual.
        #expect(
            try isAdmitted(
                Peer(address: "127.0.0.9", isForwarding: true), demo: false,
                origin: "https://app.example.org"))
    }

    @Test("Each path leads to its service, unless the daemon drains or a limit is reached")
    func routes() throws {
        typealias Answer = Result<GatePolicy.Route, GateRefusal>
        func route(_ path: String, echo: Bool, sessions: Int, draining: Bool) throws -> Answer {
            try Self.gate(echo: echo, sessionsMax: 3).route(
                path: path, host: "localhost:8080", origin: nil, localAddress: "127.0.0.1",
                localPort: 8080,
                usage: .init(sessions: sessions, unadmitted: 64, isDraining: draining))
        }
        let cases: [(String, Bool, Int, Bool, Answer)] = [
            ("/v1/session", false, 0, false, .success(.session)),
            ("/v1/session", false, 2, false, .success(.session)),
            ("/v1/session", false, 3, false, .failure(.tooManySessions)),
            ("/v1/session", false, 0, true, .failure(.draining)),
            ("/v1/session", false, 3, true, .failure(.draining)),
            ("/v1/session/", false, 0, false, .failure(.notFound)),
            ("/V1/session", false, 0, false, .failure(.notFound)),
            ("/", false, 0, false, .failure(.notFound)),
            ("/echo", false, 0, false, .failure(.notFound)),
            ("/echo", true, 3, false, .success(.echo)),
            ("/echo", true, 0, true, .failure(.draining)),
        ]
        // If no place for a session is free, an upgrade is still admitted. Its client may resume a
        // session, and states that only in `hello`.
        #expect(
            try Self.gate(sessionsMax: 3).route(
                path: "/v1/session", host: "localhost:8080", origin: nil,
                localAddress: "127.0.0.1", localPort: 8080,
                usage: .init(sessions: 3, unadmitted: 63))
                == .success(.session))
        // In this state, at most eight connections of each address may wait to be admitted.
        for (unadmittedOfAddress, answer) in [
            (7, Answer.success(.session)), (8, .failure(.tooManySessions)),
        ] {
            for sessions in [2, 3] {
                #expect(
                    try Self.gate(sessionsMax: 3).route(
                        path: "/v1/session", host: "localhost:8080", origin: nil,
                        localAddress: "127.0.0.1", localPort: 8080,
                        usage: .init(
                            sessions: sessions, unadmitted: unadmittedOfAddress,
                            unadmittedOfAddress: unadmittedOfAddress))
                        == (sessions == 2 ? .success(.session) : answer))
            }
        }
        let crowded = GatePolicy.Usage(refusal: .tooManyHandshakes)
        for (path, answer) in [
            ("/v1/session", Answer.failure(.tooManyHandshakes)), ("/none", .failure(.notFound)),
            ("/echo", .failure(.tooManyHandshakes)),
        ] {
            #expect(
                try Self.gate(echo: true).route(
                    path: path, host: "localhost:8080", origin: nil, localAddress: "127.0.0.1",
                    localPort: 8080, usage: crowded) == answer)
        }
        for (path, echo, sessions, draining, answer) in cases {
            #expect(
                try route(path, echo: echo, sessions: sessions, draining: draining) == answer,
                "\(path) echo \(echo) sessions \(sessions) draining \(draining)")
        }
    }

    @Test("A foreign page receives only the refusal of its host or its origin")
    func order() throws {
        let gate = try Self.gate(sessionsMax: 0)
        let full = GatePolicy.Usage(sessions: 9, isDraining: true)
        #expect(
            gate.route(
                path: "/none", host: "evil.example", origin: "http://evil.example",
                localAddress: "127.0.0.1", localPort: 8080, usage: full)
                == .failure(.hostNotAllowed))
        #expect(
            gate.route(
                path: "/none", host: "localhost:8080", origin: "http://evil.example",
                localAddress: "127.0.0.1", localPort: 8080, usage: full)
                == .failure(.originNotAllowed))
    }

    @Test("Each refusal has the status from docs/protocol.md and a JSON body")
    func refusals() {
        let statuses = GateRefusal.allCases.map(\.status)
        #expect(statuses == [400, 400, 403, 403, 401, 403, 404] + Array(repeating: 503, count: 8))
        for refusal in GateRefusal.allCases {
            let response = refusal.response
            let body = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == refusal.status)
            #expect(body.hasPrefix("{\"code\":\"\(refusal)\",\"message\":\""))
            let retryAfter = response.headers.first { $0.name == "retry-after" }?.value
            #expect((retryAfter.flatMap { Int($0) } != nil) == (refusal.status == 503))
        }
    }
}
