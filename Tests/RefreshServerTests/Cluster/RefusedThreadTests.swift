import BusTesting
import MessageBus
import RefreshBackends
import RefreshBroker
import RefreshConfiguration
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshServer

@Suite(
    "A node for whose cluster the system refuses a thread", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct RefusedThreadTests {
    /// With TLS, the messages of the bus have a thread of their own.
    private static func service(
        _ bus: NATSServer, _ certificates: CertificateFolder
    ) throws -> ClusterService {
        let file = try ConfigurationFile(
            text: """
                cluster:
                  name: test
                  servers: ["tls://127.0.0.1:\(bus.port)"]
                  tls: { ca: \(certificates.authority) }
                """, path: "refreshd.yaml")
        let configuration = try Configuration(flags: ConfigurationFlags(), file: file)
        return try ClusterService(
            try #require(configuration.cluster), snapshotLifetimeMs: nil, log: .silent)
    }

    @Test("It never connects to the bus, so that NATS chooses other nodes to receive the changes")
    func staysAway() async throws {
        let certificates = try CertificateFolder()
        let bus = try NATSServer(NATSServer.tls(certificates.make("server")))
        let service = try Self.service(bus, certificates)
        let announced = Mutex(0)
        let notices = FeedNotices()
        notices.setListener { _ in announced.withLock { $0 += 1 } }
        var options = WorkerOptions(feeds: ["news"])
        options.busFeeds = ["news"]
        let backend = try WorkerBackend(options, notices: notices)
        defer { backend.stop() }
        service.serve(backend)

        // NATS answers with an empty message if no connection receives the report.
        let refusals = Mutex(0)
        var busOptions = BusOptions(name: "worker", servers: [bus.url])
        busOptions.tls = BusOptions.TLS(ca: certificates.authority)
        let worker = try BusListener(busOptions) { event in
            guard case .received(let bytes, _, _) = event, bytes.isEmpty else { return }
            refusals.withLock { $0 += 1 }
        }
        try worker.connection.subscribe("replies", receivesReplies: true)
        func reportChange() {
            _ = worker.connection.publish(
                Array(#"{"type":"changed","feed":"news"}"#.utf8),
                to: "refreshd.test.work.news.changed", BusEnvelope(replySubject: "replies"))
        }
        let daemon = try TestDaemon()
        let parts = daemon.server.parts
        let host = ClusterHost(
            broker: daemon.server.broker, limiter: parts.connectionLimiter,
            directory: parts.directory, registry: parts.watcherRegistry, log: .silent
        ) { ClusterCensus(sessions: 0, workers: []) }
        service.start(with: host) { _ in nil }
        await eventually("no connection receives a report") {
            reportChange()
            return refusals.withLock { $0 } > 0
        }
        #expect(!service.status.isConnected)
        #expect(announced.withLock { $0 } == 0)
        worker.close()
    }
}
