import Foundation
import Glibc
import Testing
import Workbench

/// Simulated power failures: the data that the daemon has not synced is lost (Tests/PowerLoss).
@Suite("Power loss", .ownThread, .serialized, .limit)
struct PowerLossTests {
    /// A state folder that loses unsynced data, in a temporary folder.
    private final class Machine {
        let home: URL
        let library: URL
        let configuration: TemporaryFile

        var folder: URL { home.appendingPathComponent("state") }

        init(url: String = "http://127.0.0.1:1/") throws {
            // The path must contain no symbolic links, because the kernel reports the paths of open
            // files without them.
            home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
                .appendingPathComponent("refreshd-power-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            library = home.appendingPathComponent("powerloss.so")
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../PowerLoss/powerloss.c")
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/gcc")
            compiler.arguments = ["-shared", "-fPIC", "-o", library.path, source.path, "-ldl"]
            try compiler.run()
            compiler.waitForStatus()
            try #require(compiler.waitForStatus() == 0, "gcc cannot compile \(source.path)")
            configuration = try TemporaryFile("refreshd.yaml")
            try configuration.write(
                """
                listen: 127.0.0.1:0
                loops: 1
                resume: { stateFolder: \(folder.path) }
                log: { level: warning }
                feeds:
                  songs: { backend: http, url: "\(url)", paging: page, size: 10 }
                """)
        }

        deinit { try? FileManager.default.removeItem(at: home) }

        /// Starts the daemon. The power fails before the change `number` of the folder, or at
        /// SIGUSR2 if `number` is nil. If `forgets` is false, the power cannot fail.
        func start(losingPowerAt number: Int? = nil, forgets: Bool = true) throws -> RunningDaemon {
            var environment: [String: String] = [:]
            if forgets {
                environment = ["LD_PRELOAD": library.path, "POWER_LOSS_FOLDER": folder.path]
                environment["POWER_LOSS_AT"] = number.map(String.init) ?? "0"
            }
            return try RunningDaemon(["--config", configuration.path], environment: environment)
        }
    }

    private static func port(_ line: String) throws -> UInt16 {
        let place = try #require(line.range(of: #""port":"#))
        return try #require(UInt16(line[place.upperBound...].prefix { $0.isNumber }))
    }

    @Test("After a power failure at any moment of a start, the next start can use the state folder")
    func atStart() throws {
        var losses = 0
        for number in 1...64 {
            let machine = try Machine()
            let daemon = try machine.start(losingPowerAt: number)
            if daemon.firstLine() != nil { break }
            losses += 1
            #expect(daemon.waitForEnd().status == -SIGKILL)
            let next = try machine.start(forgets: false)
            #expect(
                next.firstLine() != nil,
                "no start after a power loss at change \(number): \(next.log)")
            #expect(!next.log.contains("stateFolder"), "\(next.log)")
            let files = try FileManager.default.contentsOfDirectory(atPath: machine.folder.path)
            #expect(files.contains("snapshot.key"))
        }
        // A start creates a folder and a file, writes the content of the file, syncs, gives the
        // file a second name, removes its first name, and syncs.
        #expect(losses >= 7)
    }

    @Test("After a power failure, the daemon's sessions can resume, because the key is on the disk")
    func serving() throws {
        let backend = try CountingBackend()
        let machine = try Machine(url: backend.line(of: "power").url)
        let daemon = try machine.start()
        let client = ThinClient(port: try Self.port(try #require(daemon.firstLine())))
        #expect(client.connect())
        try listen(client) { client.isGreeted }
        client.scroll(to: 0, phase: "began")
        client.scroll(to: -140, phase: "dragging")
        client.scroll(to: -140, phase: "ended")
        try listen(client) {
            client.seen.items.count == CountingBackend.pageSize && client.snapshot != nil
        }
        daemon.send(SIGUSR2)
        #expect(daemon.waitForEnd().status == -SIGKILL)
        client.disconnect()
        let next = try machine.start(forgets: false)
        client.port = try Self.port(try #require(next.firstLine(), "\(next.log)"))
        #expect(client.connect())
        try listen(client) { client.isGreeted }
        #expect(client.returns == ["resumed"])
        #expect(client.seen.items == Array(1...CountingBackend.pageSize))
    }

    private func listen(_ client: ThinClient, until isDone: () -> Bool) throws {
        let end = Date(timeIntervalSinceNow: Double(60 * patience))
        while !isDone() {
            try #require(end > Date() && client.isConnected, "\(client.seen)")
            _ = client.listen(within: 50)
        }
    }
}
