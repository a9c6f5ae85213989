import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer

/// Admission checks with TLS, either in the daemon or in a trusted proxy.
@Suite("Admission of requests over TLS")
struct EncryptedGateTests {
    private static func gate() throws -> GatePolicy {
        let loopback = try #require(IPAddress("127.0.0.1"))
        let open = try #require(IPAddress("192.0.2.7"))
        return GatePolicy(
            listeners: [
                BoundListener(address: loopback, port: 8443, isEncrypted: true),
                BoundListener(address: loopback, port: 443, isEncrypted: true),
                BoundListener(address: open, port: 8080),
            ],
            origins: Set([WebOrigin("https://app.example.org")].compactMap(\.self)),
            servesEcho: false, sessionsMax: 10)
    }

    @Test(
        "The origin of the daemon's own page must match the server name of the certificate",
        arguments: [
            ("https://lists.example.org", "lists.example.org", true, true),
            ("https://lists.example.org", "lists.example.org:443", true, true),
            ("https://LISTS.example.org:8443", "lists.example.org:8443", true, true),
            ("https://lists.example.org", "lists.example.org:8443", true, false),
            ("http://lists.example.org", "lists.example.org", true, false),
            ("https://lists.example.org", "lists.example.org", false, false),
            ("https://evil.example", "lists.example.org", true, false),
            ("https://lists.example.org.evil.example", "lists.example.org", true, false),
            ("null", "lists.example.org", true, false),
            ("https://app.example.org", "lists.example.org", true, true),
            ("https://app.example.org", "lists.example.org", false, true),
        ])
    func ownPage(origin: String, host: String, isEncrypted: Bool, isAdmitted: Bool) throws {
        let result = try Self.gate().route(
            path: "/v1/session", host: host, origin: origin, localAddress: "192.0.2.7",
            localPort: 8443, isEncrypted: isEncrypted, usage: .init())
        #expect(result == (isAdmitted ? .success(.session) : .failure(.originNotAllowed)))
    }

    @Test(
        "On loopback, the `Host` is also checked over TLS, with the default port of TLS",
        arguments: [
            ("127.0.0.1:8443", 8443, true), ("localhost", 443, true), ("localhost:443", 443, true),
            ("127.0.0.1:8443", 443, false), ("localhost", 8443, false),
            ("localhost:80", 443, false), ("lists.example.org", 443, false),
            ("lists.example.org:8443", 8443, false),
        ] as [(String, UInt16, Bool)])
    func host(host: String, port: UInt16, isAdmitted: Bool) throws {
        let refusal = try Self.gate().refusal(
            host: host, localAddress: "127.0.0.1", localPort: port)
        #expect(refusal == (isAdmitted ? nil : .hostNotAllowed))
    }
}
