import Foundation
import Glibc
import Testing
import Workbench

@Suite("Daemons that share a key", .ownThread, .limit)
struct SharedKeyTests {
    private static func key() throws -> TemporaryFile {
        let key = try TemporaryFile("snapshot.key")
        try key.write(Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString())
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: key.path)
        return key
    }

    private static func start(
        _ key: TemporaryFile, url: String, settings: String = ""
    ) throws -> (daemon: RunningDaemon, port: UInt16) {
        let file = try TemporaryFile("refreshd.yaml")
        try file.write(
            """
            listen: 127.0.0.1:0
            loops: 1
            resume: { keys: [ { id: k1, file: \(key.path) } ] }
            \(settings)
            feeds:
              songs: { backend: http, url: "\(url)", paging: page, size: \(CountingBackend.pageSize), itemKey: /id }
            """)
        let daemon = try RunningDaemon(["--config", file.path])
        let line = try #require(daemon.firstLine(), "\(daemon.log)")
        let place = try #require(line.range(of: #""port":"#))
        return (daemon, try #require(UInt16(line[place.upperBound...].prefix { $0.isNumber })))
    }

    private static func listen(_ client: ThinClient, until isDone: () -> Bool) throws {
        let end = Date(timeIntervalSinceNow: Double(60 * patience))
        while !isDone() {
            try #require(end > Date() && client.isConnected, "\(client.seen)")
            _ = client.listen(within: 50)
        }
    }

    /// Returns a client that has refreshed at a daemon and has lost its connection.
    private static func refreshed(at port: UInt16) throws -> ThinClient {
        let client = ThinClient(port: port)
        #expect(client.connect())
        try listen(client) { client.isGreeted }
        client.scroll(to: 0, phase: "began")
        client.scroll(to: -60, phase: "dragging")
        client.scroll(to: -140, phase: "dragging")
        client.scroll(to: -140, phase: "ended")
        try listen(client) {
            client.seen.items.count == CountingBackend.pageSize && client.snapshot != nil
        }
        client.disconnect()
        return client
    }

    /// Resumes the client's session at the daemon with this port. Returns `resumed`, or the reason
    /// of the refusal.
    private static func welcome(_ client: ThinClient, at port: UInt16) throws -> String? {
        client.port = port
        #expect(client.connect())
        try listen(client) { client.isGreeted }
        return client.returns.last
    }

    @Test("A daemon opens a snapshot with the same key, but not with another key of the same name")
    func keys() throws {
        let backend = try CountingBackend()
        let (url, _) = backend.line(of: "shared")
        let shared = try Self.key()
        let first = try Self.start(shared, url: url)
        let second = try Self.start(shared, url: url)
        let unrelated = try Self.start(Self.key(), url: url)
        let (one, other) = (
            try Self.refreshed(at: first.port), try Self.refreshed(at: first.port)
        )
        #expect(try Self.welcome(one, at: second.port) == "resumed")
        #expect(one.seen.items == Array(1...CountingBackend.pageSize))
        #expect(one.sessions.count == 1)
        #expect(try Self.welcome(other, at: unrelated.port) == "snapshotInvalid")
        #expect(other.sessions.count == 2)
        for daemon in [first, second, unrelated].map(\.daemon) { daemon.send(SIGKILL) }
    }

    @Test(
        "A second signal ends the daemon at once. The status is 128 plus the signal's number",
        arguments: [(SIGTERM, SIGTERM), (SIGTERM, SIGINT)])
    func second(_ first: Int32, _ second: Int32) throws {
        let backend = try CountingBackend()
        let daemon = try Self.start(
            Self.key(), url: backend.line(of: "signals").url,
            settings: "drain: { delayMs: 600000 }")
        daemon.daemon.send(first)
        #expect(daemon.daemon.logs("draining"))
        daemon.daemon.send(second)
        let ending = daemon.daemon.waitForEnd()
        #expect(ending.status == 128 + second)
        #expect(ending.errors.contains("stopped at once"))
    }
}
