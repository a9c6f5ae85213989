import Foundation
import Testing
import Workbench

@Suite("SIGHUP", .ownThread, .limit)
struct ReloadTests {
    private static func daemon(_ text: String) throws -> (RunningDaemon, URL) {
        let file = try Refreshd.configuration(text)
        let daemon = try RunningDaemon(
            ["--config", file.path, "--listen", "127.0.0.1:0", "--log-format", "text"])
        _ = try RefreshdTests.announcement(of: daemon)
        return (daemon, file)
    }

    private static func lines(_ daemon: RunningDaemon, _ message: String) -> [String] {
        daemon.log.split(separator: "\n").compactMap { line in
            line.firstRange(of: message).map { String(line[$0.lowerBound...]) }
        }
    }

    @Test("Each changed option is logged in a line of its own, with the old and the new value")
    func differences() throws {
        let (daemon, file) = try Self.daemon("limits: { sessionsMax: 5 }\nlog: { level: info }")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("limits: { sessionsMax: 6 }\nlog: { level: debug }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("option=log.level"))
        #expect(
            Self.lines(daemon, "notice reloaded") == [
                "notice reloaded new=6 old=5 option=limits.sessionsMax",
                "notice reloaded new=debug old=info option=log.level",
            ])
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
    }

    @Test("If `connectionsMax` needs more files than the process may open, a restart is required")
    func files() throws {
        let file = try Refreshd.configuration("limits: { connectionsMax: 100 }")
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try RunningDaemon(
            ["--config", file.path, "--listen", "127.0.0.1:0", "--log-format", "text"],
            openFilesMax: 1000)
        _ = try RefreshdTests.announcement(of: daemon)
        try Data("limits: { connectionsMax: 700, sessionsMax: 7 }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("option=limits.connectionsMax"))
        let refused = Self.lines(daemon, "error reload refused")
        #expect(refused.count == 1)
        #expect(refused.first?.contains("needs a restart: 100 -> 700") == true)
        #expect(Self.lines(daemon, "notice reloaded").isEmpty)
        try Data("limits: { connectionsMax: 400 }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("new=400 old=100 option=limits.connectionsMax"))
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
    }

    @Test("The log names a change that is invalid or requires a restart, and no option changes")
    func refused() throws {
        let (daemon, file) = try Self.daemon("loops: 1\nlimits: { sessionsMax: 5 }")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("loops: 2\nlimits: { sessionsMax: 6, cacheBytesMax: 1 }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("option=limits.cacheBytesMax"))
        let refusals = Self.lines(daemon, "error reload refused")
        #expect(refusals.count == 2)
        #expect(
            refusals.first
                == #"error reload refused option=loops reason="needs a restart: 1 -> 2""#)
        try Data("limits: { sessionMax: 6 }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("option=limits.sessionMax"))
        #expect(daemon.log.contains("did you mean `sessionsMax`?"))
        // The daemon still has its old configuration, so this is the only difference.
        try Data("loops: 1\nlimits: { sessionsMax: 7 }".utf8).write(to: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("new=7 old=5 option=limits.sessionsMax"))
        #expect(Self.lines(daemon, "notice reloaded").count == 1)
        try FileManager.default.removeItem(at: file)
        daemon.send(SIGHUP)
        #expect(daemon.logs("cannot be read"))
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
    }
}
