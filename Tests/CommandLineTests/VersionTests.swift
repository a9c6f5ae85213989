import Foundation
import RefreshProtocol
import RefreshServer
import Testing
import Workbench

/// The version is defined in one line of one file.
@Suite("The version", .ownThread, .limit)
struct VersionTests {
    @Test("The script `scripts/version` prints the version of the built commands")
    func script() throws {
        let ending = try RunningDaemon(program: Self.script.path, []).waitForEnd()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output == "\(DaemonVersion.current)\n")
        #expect(ending.errors.isEmpty)
    }

    @Test("Both commands print the version")
    func commands() throws {
        let daemon = try Refreshd.run("--version")
        #expect(daemon.status == 0)
        #expect(daemon.output == "refreshd \(DaemonVersion.current)\n")
        #expect(daemon.errors.isEmpty)
        let probe = try ProbeTests.run(["--version"])
        #expect(probe.status == 0)
        #expect(probe.output == "\(DaemonVersion.current)\n")
        #expect(probe.errors.isEmpty)
    }

    @Test("The `welcome` and the log of a daemon contain the version")
    func daemon() throws {
        let file = try TemporaryFile(
            "refreshd.yaml", "listen: 127.0.0.1:0\nloops: 1\n")
        let daemon = try RunningDaemon(["--config", file.path])
        let port = try RefreshdTests.announcement(of: daemon).port
        let scenario =
            "hello\nexpect welcome {server: \"refreshd/\(DaemonVersion.current)\"}"
        let ending = try ProbeTests.run(
            ["version": scenario],
            flags: ["--url", "ws://127.0.0.1:\(port)/v1/session"])
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(daemon.logs("version=\(DaemonVersion.current)"))
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts/version")
}
