import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer

/// The admission of upgrades on the workers' path, as a table.
@Suite("Admission of workers")
struct WorkerGateTests {
    private func route(
        workersMax: Int = 2, origin: String? = nil, host: String = "127.0.0.1:8080",
        usage: GatePolicy.Usage = .init()
    ) throws -> Result<GatePolicy.Route, GateRefusal> {
        let gate = GatePolicy(
            listeners: [BoundListener(address: try #require(IPAddress("127.0.0.1")), port: 8080)],
            origins: Set([WebOrigin("https://app.example.org")].compactMap { $0 }),
            servesEcho: false, sessionsMax: 10, workersMax: workersMax)
        return gate.route(
            path: "/v1/worker", host: host, origin: origin, localAddress: "127.0.0.1",
            localPort: 8080, usage: usage)
    }

    @Test("workersMax: a worker is admitted while there is a free place")
    func room() throws {
        #expect(try route() == .success(.worker))
        #expect(try route(usage: .init(sessions: 10, workers: 1)) == .success(.worker))
        #expect(try route(usage: .init(workers: 2)) == .failure(.tooManyWorkers))
        #expect(try route(usage: .init(isDraining: true)) == .failure(.draining))
        #expect(try route(workersMax: 0) == .failure(.notFound))
        #expect(GateRefusal.tooManyWorkers.status == 503)
    }

    @Test(
        "An upgrade from a web page is refused, even if the web page may open sessions",
        arguments: ["https://app.example.org", "http://127.0.0.1:8080", "http://evil.example"])
    func pages(_ origin: String) throws {
        #expect(try route(origin: origin) == .failure(.originNotAllowed))
    }

    @Test("The `Host` header is checked as for clients")
    func host() throws {
        #expect(try route(host: "rebound.example:8080") == .failure(.hostNotAllowed))
    }
}
