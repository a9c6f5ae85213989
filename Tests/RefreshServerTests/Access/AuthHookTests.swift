import Foundation
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("The authentication service", .ownThread, .limit)
struct AuthHookTests {
    private static let authenticationRequest = AuthenticationRequest(
        token: "t\"1\n", client: "web/1.0",
        arrival: AuthenticationRequest.Arrival(
            peer: "203.0.113.7", origin: "https://app.example.org",
            headers: [HeaderField(name: "cookie", value: "a=1")]))

    /// A clock that does not advance. A call therefore always has its whole timeout, however late
    /// it begins.
    private static let standing = AccessClock(now: { .origin }, unixSeconds: { 0 })

    /// Returns the verdict that results from the service's reply. `deadlineMs` is the deadline of
    /// each call to the service.
    private static func verdict(
        deadlineMs: Int = 5000,
        authenticationRequest: AuthenticationRequest = authenticationRequest,
        clock: AccessClock = .system,
        _ answer: @escaping @Sendable (LocalServer.Exchange) -> Void
    ) async throws -> (verdict: AdmissionVerdict, server: LocalServer) {
        let server = try LocalServer(answer)
        let hook = try AuthHookAccess(
            AuthHookSettings(url: server.url + "/who?x=1", deadlineMs: deadlineMs), clock: clock)
        return (await authenticate(hook, authenticationRequest), server)
    }

    static func authenticate(
        _ hook: some Authenticator, _ authenticationRequest: AuthenticationRequest,
        by deadline: Instant = .never
    ) async -> AdmissionVerdict {
        await withCheckedContinuation { continuation in
            let atOnce = hook.authenticate(authenticationRequest, by: deadline) {
                continuation.resume(returning: $0)
            }
            if let atOnce { continuation.resume(returning: atOnce) }
        }
    }

    @Test("The service receives all known data about a client as JSON, and its answer is accepted")
    func question() async throws {
        let (verdict, server) = try await Self.verdict {
            $0.reply(200, #"{"allow":true,"subject":"anna","feeds":["songs"],"more":[{}]}"#)
        }
        #expect(verdict == .admitted(Identity(subject: "anna", feeds: .only(["songs"]))))
        let head = try #require(server.received.first)
        #expect(head.hasPrefix("POST /who?x=1 HTTP/1.1\r\n"))
        #expect(LocalServer.header("content-type", in: head) == "application/json")
        #expect(
            server.bodies == [
                #"{"token":"t\"1\n","client":"web/1.0","peer":"203.0.113.7","#
                    + #""origin":"https://app.example.org","headers":{"cookie":"a=1"}}"#
            ])
    }

    @Test("Unknown data is omitted, and a repeated header is sent as one list")
    func sparse() async throws {
        let authenticationRequest = AuthenticationRequest(
            token: nil,
            arrival: AuthenticationRequest.Arrival(
                headers: [
                    HeaderField(name: "x-a", value: "1"), HeaderField(name: "x-b", value: ""),
                    HeaderField(name: "x-a", value: "2"),
                ]))
        let (verdict, server) = try await Self.verdict(authenticationRequest: authenticationRequest)
        {
            $0.reply(200, #"{"allow":true,"subject":"a"}"#)
        }
        #expect(verdict == .admitted(Identity(subject: "a")))
        #expect(server.bodies == [#"{"headers":{"x-a":"1, 2","x-b":""}}"#])
        let (_, other) = try await Self.verdict(
            authenticationRequest: AuthenticationRequest(token: "x")
        ) {
            $0.reply(200, #"{"allow":false}"#)
        }
        #expect(other.bodies == [#"{"token":"x"}"#])
    }

    @Test("`expiresInMs` counts from the answer", arguments: [0, 1, 1500.5, 3_155_760_000_000])
    func lifetime(ms: Double) async throws {
        let begin = AccessClock.system.now()
        let (verdict, _) = try await Self.verdict {
            $0.reply(200, #"{"allow":true,"subject":"a","expiresInMs":\#(ms)}"#)
        }
        let end = AccessClock.system.now()
        guard case .admitted(let identity) = verdict, let expires = identity.expires else {
            Issue.record("\(verdict)")
            return
        }
        #expect(expires >= begin.advanced(byMilliseconds: ms))
        #expect(expires <= end.advanced(byMilliseconds: ms))
    }

    @Test("An answer with `allow` false is a refusal, whatever other members it has")
    func denied() async throws {
        let (verdict, _) = try await Self.verdict {
            $0.reply(200, #"{"allow":false,"subject":5,"feeds":null}"#)
        }
        #expect(verdict == .refused(.denied))
    }

    @Test(
        "An answer that cannot be interpreted admits no client",
        arguments: [
            "", "{}", "[]", "true", "null", "allow", #"{"allow":"true","subject":"a"}"#,
            #"{"allow":1,"subject":"a"}"#, #"{"allow":null,"subject":"a"}"#, #"{"allow":true}"#,
            #"{"allow":true,"subject":""}"#, #"{"allow":true,"subject":null}"#,
            #"{"allow":true,"subject":7}"#, #"{"allow":true,"subject":"a\u0000"}"#,
            #"{"allow":true,"subject":"a","feeds":null}"#,
            #"{"allow":true,"subject":"a","feeds":"songs"}"#,
            #"{"allow":true,"subject":"a","feeds":[1]}"#,
            #"{"allow":true,"subject":"a","expiresInMs":null}"#,
            #"{"allow":true,"subject":"a","expiresInMs":-1}"#,
            #"{"allow":true,"subject":"a","expiresInMs":1e999}"#,
            #"{"allow":true,"subject":"a","expiresInMs":"1"}"#,
            #"{"allow":true,"subject":"a","expiresInMs":3155760000001}"#,
            #"{"allow":true,"subject":"a","expiresInMs":1e30}"#,
            #"{"allow":true,"subject":"a","allow":false}"#,
            #"{"allow":false,"subject":"a","allow":true}"#,
            #"{"allow":true,"subject":"a","subject":"a"}"#,
            #"{"allow":true,"subject":"a","\u0073ubject":"b"}"#,
            #"{"allow":true,"subject":"a","x":[{"y":1,"y":1}]}"#,
            #"{"allow":true,"subject":"a"}}"#, #"{"allow":true,"subject":"a""#,
        ])
    func garbage(body: String) async throws {
        let (verdict, _) = try await Self.verdict { $0.reply(200, body) }
        #expect(verdict == .unavailable(.malformed))
    }

    @Test(
        "A status other than 200 admits no client, whatever the body contains",
        arguments: [201, 204, 206, 301, 302, 307, 308, 400, 401, 403, 404, 429, 500, 503])
    func statuses(status: Int) async throws {
        let (verdict, server) = try await Self.verdict {
            $0.reply(
                status, status == 204 ? "" : #"{"allow":true,"subject":"a"}"#,
                headers: status / 100 == 3 ? "Location: /there\r\n" : "")
        }
        #expect(verdict == .unavailable(.status))
        // The daemon did not follow a redirect.
        #expect(server.received.count == 1)
    }

    @Test("An answer above the size limit is refused, with or without a Content-Length")
    func huge() async throws {
        let (tooLong, _) = try await Self.verdict {
            $0.send("HTTP/1.1 200 X\r\nContent-Length: 1000000000\r\n\r\n")
            $0.waitForHangUp()
        }
        #expect(tooLong == .unavailable(.tooLarge))
        let (endless, _) = try await Self.verdict { exchange in
            exchange.send("HTTP/1.1 200 X\r\nConnection: close\r\n\r\n{\"allow\":true")
            while exchange.send(String(repeating: " ", count: 4096)) {}
        }
        #expect(endless == .unavailable(.tooLarge))
    }

    @Test("An answer that is not HTTP, or that breaks off, admits no client")
    func broken() async throws {
        let (noHTTP, _) = try await Self.verdict { $0.send("hello\r\n\r\n") }
        #expect(noHTTP.result == .unavailable)
        let (cut, _) = try await Self.verdict {
            $0.send("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n{\"allow\":true")
        }
        #expect(cut.result == .unavailable)
        let (silent, _) = try await Self.verdict { _ in }
        #expect(silent.result == .unavailable)
    }

    @Test("If the service is unreachable, no client is admitted")
    func down() async throws {
        let port = try LocalServer.closedPort()
        let hook = try AuthHookAccess(
            AuthHookSettings(url: "http://127.0.0.1:\(port)/"), clock: .system)
        #expect(
            await Self.authenticate(hook, Self.authenticationRequest) == .unavailable(.unreachable))
    }

    @Test("If the service stops at any point of its answer, the wait ends at the deadline")
    func slow() async throws {
        for beginning in ["", "HTTP/1.1 200 X\r\n", "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n{"]
        {
            let (verdict, _) = try await Self.verdict(deadlineMs: 100, clock: Self.standing) {
                $0.send(beginning)
                $0.waitForHangUp()
            }
            #expect(verdict == .unavailable(.late))
        }
    }

    @Test("The caller's deadline applies if it is earlier than that of the settings")
    func earlier() async throws {
        let server = try LocalServer { $0.waitForHangUp() }
        let hook = try AuthHookAccess(
            AuthHookSettings(url: server.url, deadlineMs: 60_000), clock: Self.standing)
        let soon = Self.standing.now().advanced(byMilliseconds: 50.0)
        #expect(
            await Self.authenticate(hook, Self.authenticationRequest, by: soon)
                == .unavailable(.late))
    }

    @Test("At most `calls` requests run concurrently. Others wait, at most until their deadlines")
    func turns() async throws {
        let atOnce = Mutex((now: 0, most: 0, came: 0))
        let server = try LocalServer { exchange in
            let place = atOnce.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
                $0.came += 1
                return $0.came
            }
            // The calls run in pairs: the first one of a pair waits for the second one.
            while atOnce.withLock({ $0.came < place + place % 2 }) {
                Thread.sleep(forTimeInterval: 0.001)
            }
            atOnce.withLock { $0.now -= 1 }
            exchange.reply(200, #"{"allow":true,"subject":"a"}"#)
        }
        let hook = try AuthHookAccess(
            AuthHookSettings(url: server.url, deadlineMs: 20_000, calls: 2), clock: .system)
        let verdicts = await withTaskGroup(of: AdmissionVerdict.self) { group in
            for _ in 0..<12 {
                group.addTask { await Self.authenticate(hook, Self.authenticationRequest) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts == Array(repeating: .admitted(Identity(subject: "a")), count: 12))
        #expect(atOnce.withLock { $0.most } == 2)
    }

    @Test("If the service hangs, running and queued requests fail, and a later request is served")
    func noTurn() async throws {
        let server = try LocalServer {
            if $0.header("connection") == nil, $0.body.count > 20 { $0.waitForHangUp() }
            $0.reply(200, #"{"allow":true,"subject":"a"}"#)
        }
        let hook = try AuthHookAccess(
            AuthHookSettings(url: server.url, deadlineMs: 150, calls: 1), clock: .system)
        let verdicts = await withTaskGroup(of: AdmissionVerdict.self) { group in
            for _ in 0..<5 {
                group.addTask { await Self.authenticate(hook, Self.authenticationRequest) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == .unavailable(.late) }.count >= 1)
        #expect(
            verdicts.allSatisfy { [.unavailable(.late), .unavailable(.queueTimeout)].contains($0) })
        // A slow machine may also need longer for an answer, or for the end of a late call. The
        // loop therefore repeats the request until it is answered.
        var verdict = AdmissionVerdict.unavailable(.late)
        for _ in 0..<400 * patience
        where [.unavailable(.late), .unavailable(.queueTimeout)].contains(verdict) {
            verdict = await Self.authenticate(hook, AuthenticationRequest(token: nil))
        }
        #expect(verdict == .admitted(Identity(subject: "a")))
    }
}

extension AuthHookTests {
    @Test("A service is called only if the configuration trusts its certificate")
    func certificates() async throws {
        let servers = try TLSServers()
        let authenticationRequest = AuthenticationRequest(token: "secret")
        func verdict(_ certificate: TLSServers.Certificate) async throws -> AdmissionVerdict {
            let hook = try AuthHookAccess(
                AuthHookSettings(
                    url: servers.url(certificate), ca: servers.authority, deadlineMs: 10_000),
                clock: .system)
            return await Self.authenticate(hook, authenticationRequest)
        }
        // The service answers with a list, which is malformed as an answer. The verdict `malformed`
        // shows that the service was reached.
        #expect(try await verdict(.good) == .unavailable(.malformed))
        for certificate in [TLSServers.Certificate.expired, .otherName, .unknownAuthority] {
            #expect(try await verdict(certificate) == .unavailable(.untrusted))
        }
    }
}
