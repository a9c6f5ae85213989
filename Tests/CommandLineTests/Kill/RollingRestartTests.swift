import Foundation
import Glibc
import Synchronization
import Testing
import Workbench

/// Daemons that share their keys are restarted one after the other, under load.
@Suite("A rolling restart", .ownThread, .serialized, .limit)
struct RollingRestartTests {
    private static let clients = 12
    /// Drain settings of the daemons.
    private static let (spreadMs, loadsMs) = (500, 3000)

    private static func start(_ file: TemporaryFile) throws -> (RunningDaemon, UInt16) {
        let daemon = try RunningDaemon(["--config", file.path])
        let line = try #require(daemon.firstLine(), "\(daemon.log)")
        let place = try #require(line.range(of: #""port":"#))
        let port = try #require(UInt16(line[place.upperBound...].prefix { $0.isNumber }))
        return (daemon, port)
    }

    /// Stops a daemon as a rolling restart does, while another one already serves.
    private static func drain(_ daemon: RunningDaemon) {
        daemon.send(SIGTERM)
        let ending = daemon.waitForEnd()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(!ending.errors.contains("sessions did not close in time"))
    }

    /// Returns the key that all daemons share, and their configuration.
    private static func files(
        of backend: CountingBackend
    ) throws -> (key: TemporaryFile, configuration: TemporaryFile) {
        let key = try TemporaryFile("shared.key")
        try key.write(Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString())
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: key.path)
        let file = try TemporaryFile("refreshd.yaml")
        let (url, _) = backend.line(of: "rolling")
        try file.write(
            """
            listen: 127.0.0.1:0
            loops: 2
            resume: { keys: [ { id: k1, file: \(key.path) } ] }
            drain: { spreadMs: \(spreadMs), loadsMs: \(loadsMs) }
            log: { level: warning }
            feeds:
              songs: { backend: http, url: "\(url)", paging: page, size: \(CountingBackend.pageSize), itemKey: /id }
            """)
        return (key, file)
    }

    @Test("In a rolling restart, no client receives an error, loses an item or gets one twice")
    func restart() throws {
        let backend = try CountingBackend()
        let (key, file) = try Self.files(of: backend)
        defer { withExtendedLifetime(key) {} }
        var (daemon, port) = try Self.start(file)
        let address = RollingClient.Address(port)
        let isRunning = Mutex(true)
        let rounds = Mutex([Int](repeating: 0, count: Self.clients))
        let outcomes = Mutex<[RollingClient.Outcome]>([])
        let group = DispatchGroup()
        for index in 0..<Self.clients {
            group.enter()
            Thread.detachNewThread {
                let client = RollingClient(address) {
                    isRunning.withLock { $0 }
                } roundEnded: {
                    rounds.withLock { $0[index] += 1 }
                }
                let outcome = client.run()
                outcomes.withLock { $0.append(outcome) }
                group.leave()
            }
        }
        /// Waits until each client has ended another round, or until a client is stuck.
        func waitForRounds() {
            let wanted = rounds.withLock { $0.map { $0 + 1 } }
            for _ in 0..<12_000 * patience {
                if outcomes.withLock({ !$0.isEmpty }) { return }
                if rounds.withLock({ zip($0, wanted).allSatisfy { $0 >= $1 } }) { return }
                usleep(5000)
            }
        }
        waitForRounds()
        // The daemon is replaced twice.
        for _ in 0..<2 {
            let (next, port) = try Self.start(file)
            address.port = port
            Self.drain(daemon)
            daemon = next
            waitForRounds()
        }
        isRunning.withLock { $0 = false }
        group.wait()
        let all = outcomes.withLock { $0 }
        print("rolling restart: \(all.reduce(0) { $0 + $1.rounds }) rounds")
        #expect(all.count == Self.clients)
        for outcome in all {
            #expect(outcome.stuck == nil)
            #expect(outcome.errors.isEmpty, "\(outcome)")
            #expect(outcome.wrong.isEmpty)
            #expect(outcome.rounds >= 3)
            #expect(outcome.returns == ["resumed", "resumed"])
        }
    }
}
