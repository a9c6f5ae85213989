import Cryptography
import RefreshBroker
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Access to the metrics page")
struct MetricsAccessTests {
    /// The pages of a daemon with one listener of each kind, and with a proxy on this machine.
    private static func pages() throws -> HTTPPages {
        let loopback = try #require(IPAddress("127.0.0.1"))
        let proxy = try #require(AddressRange("127.0.0.9"))
        let gate = GatePolicy(
            listeners: [
                BoundListener(address: loopback, port: 8080),
                BoundListener(address: try #require(IPAddress("0.0.0.0")), port: 80),
                BoundListener(address: loopback, port: 9090, isAdmin: true),
            ], origins: [], servesDemo: true, proxies: TrustedProxies([proxy]), servesEcho: false,
            sessionsMax: 1)
        let holders: [(name: String, may: AccessTokenSettings.Permission)] = [
            ("scraper", .measure), ("operator", .administer), ("worker", .work),
        ]
        let tokens = AccessTokens(
            holders.map {
                AccessTokenSettings(
                    name: $0.name, sha256: SHA256.digest(of: Array($0.name.utf8)), may: [$0.may])
            })
        return HTTPPages(
            gate: gate,
            changes: ChangeRequests(
                gate: gate, tokens: tokens, feeds: [], notices: FeedNotices()),
            admin: AdminRequests(gate: gate, tokens: tokens), servesDemo: true,
            isReady: { true }, metrics: { "numbers 1\n" })
    }

    private static func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        let answer = try pages().respond(to: request)
        // A refused request receives no metrics.
        #expect(
            String(decoding: answer.body, as: UTF8.self).contains("numbers")
                == (answer.status == 200))
        return answer
    }

    private static func request(
        token: String? = nil, peer: String = "127.0.0.1", isForwarded: Bool = false,
        origin: String? = nil, at address: String = "127.0.0.1", port: UInt16 = 8080
    ) -> HTTPRequest {
        HTTPRequest(
            path: "/metrics", host: "localhost:\(port)", origin: origin,
            authorization: token.map { "Bearer \($0)" }, peerAddress: peer,
            isForwarded: isForwarded, localAddress: address, localPort: port)
    }

    @Test(
        "On a listener that other machines can reach, a client needs a token that allows `measure`")
    func otherAddress() throws {
        for (address, peer) in [("10.0.0.5", "10.0.0.7"), ("127.0.0.1", "127.0.0.1")] {
            // A listener on all addresses accepts connections on each of them, except where another
            // listener has the address and the port.
            let address = address == "127.0.0.1" ? "127.0.0.2" : address
            for (token, status) in [
                (nil, 401), ("wrong", 401), ("worker", 403), ("scraper", 200), ("operator", 200),
            ] as [(String?, Int)] {
                let answer = try Self.answer(
                    Self.request(token: token, peer: peer, at: address, port: 80))
                #expect(answer.status == status, "\(address) \(token ?? "none")")
                #expect(
                    (HTTPPagesTests.header("www-authenticate", of: answer) == "Bearer")
                        == (status == 401))
            }
        }
    }

    @Test("On a loopback listener, a direct request needs no token, but a proxied request does")
    func fromHere() throws {
        #expect(try Self.answer(Self.request()).status == 200)
        #expect(try Self.answer(Self.request(isForwarded: true)).status == 401)
        #expect(try Self.answer(Self.request(peer: "127.0.0.9")).status == 401)
        #expect(try Self.answer(Self.request(token: "worker", isForwarded: true)).status == 403)
        #expect(try Self.answer(Self.request(token: "scraper", isForwarded: true)).status == 200)
    }

    @Test("On the operators' listener, no token is needed")
    func operators() throws {
        #expect(try Self.answer(Self.request(port: 9090)).status == 200)
        #expect(try Self.answer(Self.request(isForwarded: true, port: 9090)).status == 200)
    }

    @Test("A request from a foreign page is refused, even with a valid token")
    func foreignPages() throws {
        for port: UInt16 in [8080, 9090] {
            let request = Self.request(
                token: "operator", origin: "https://evil.example", port: port)
            #expect(try Self.answer(request).status == 403)
        }
    }
}

@Suite("Access to the metrics of a running daemon", .ownThread, .limit)
struct ServerMetricsAccessTests {
    @Test("A request that a proxy forwards receives no metrics")
    func live() throws {
        // Without `auth`, the daemon refuses every request of an unlisted proxy with 403.
        for (yaml, refusal) in [("demo: true", "403"), ("auth: { mode: none }", "401")] {
            let daemon = try TestDaemon(yaml)
            let request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n"
            for (headers, status) in [
                ("", "200"), ("X-Forwarded-For: 203.0.113.7\r\n", refusal),
                ("Forwarded: for=203.0.113.7\r\n", refusal),
            ] {
                let socket = try PlainSocket(port: daemon.port)
                socket.send(request + headers + "\r\n")
                #expect(socket.readHead().hasPrefix("HTTP/1.1 \(status) "), "\(yaml) \(headers)")
            }
        }
    }
}
