import Foundation
import Testing
import Workbench

/// Starts of the daemon that fail or succeed. Most are compared with `check-config`. A start that
/// fails must leave no effects.
@Suite("Refused and accepted starts", .ownThread, .limit)
struct StartTests {
    /// Writes a configuration to a temporary folder. The folder also contains a regular file, which
    /// some configurations name as a folder.
    private static func configuration(_ yaml: String) throws -> TemporaryFile {
        let file = try TemporaryFile("refreshd.yaml", yaml)
        try Data("none\n".utf8).write(to: folder(of: file).appending(path: "file"))
        return file
    }

    private static func folder(of file: TemporaryFile) -> URL {
        URL(filePath: file.path).deletingLastPathComponent()
    }

    private static func names(in folder: URL) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test(
        "If a configuration is refused, check-config and a start say why, and create no file",
        arguments: [
            ("journal: file", "journal: cannot write to"),
            ("journal: none/journals", "journal: cannot write to"),
            ("journal: /proc/journals", "journal: cannot write to"),
            ("journal: /proc", "journal: cannot write to"),
            ("journalOnRequest: file", "journalOnRequest: cannot write to"),
            ("resume: { stateFolder: file }", "resume.stateFolder: "),
            ("resume: { stateFolder: none/state }", "resume.stateFolder: "),
            ("resume: { stateFolder: /proc }", "resume.stateFolder: "),
            ("resume: { keys: [{ id: a, file: file }] }", "resume.keys[0].file: "),
            (
                "listen: 127.0.0.1:8\nadmin: localhost:8",
                "admin: localhost:8 overlaps 127.0.0.1:8 of `listen`"
            ),
            (
                "auth: { mode: none }\nlisten: 0.0.0.0:8\nadmin: 127.0.0.1:8",
                "admin: 127.0.0.1:8 overlaps 0.0.0.0:8 of `listen`"
            ),
            (
                "auth: { mode: none }\nlisten: [\"[::]:8\", localhost:8]",
                "listen: localhost:8 overlaps [::]:8 of `listen`"
            ),
            ("admin: [127.0.0.1:8, localhost:8]", "admin: localhost:8 overlaps 127.0.0.1:8"),
        ])
    func refused(yaml: String, reason: String) throws {
        let file = try Self.configuration(yaml + "\nloops: 1\n")
        let before = try Self.names(in: Self.folder(of: file))
        let check = try Refreshd.run("check-config", "--config", file.path)
        #expect(check.status == 78)
        #expect(check.errors.contains(reason), "\(check.errors)")
        #expect(try Self.names(in: Self.folder(of: file)) == before)
        let start = try Refreshd.run("--config", file.path)
        #expect(start.status == 78)
        #expect(start.errors.contains(reason), "\(start.errors)")
        #expect(start.output.isEmpty)
        #expect(try Self.names(in: Self.folder(of: file)) == before)
    }

    @Test("check-config reports all paths that a start cannot write, not only the first one")
    func atOnce() throws {
        let file = try Self.configuration(
            "journal: file\njournalOnRequest: file\nresume: { stateFolder: file }\n")
        let check = try Refreshd.run("check-config", "--config", file.path)
        for key in ["journal", "journalOnRequest", "resume.stateFolder"] {
            #expect(check.errors.contains("\(key): "), "\(check.errors)")
        }
    }

    @Test(
        "check-config and a start accept missing folders, and an address with port 0 twice"
    )
    func accepted() throws {
        let file = try Self.configuration(
            """
            listen: [127.0.0.1:0, 127.0.0.1:0, "[::1]:0"]
            admin: 127.0.0.1:0
            journal: journals
            journalOnRequest: requested
            resume: { stateFolder: state }
            loops: 1
            """)
        let before = try Self.names(in: Self.folder(of: file))
        let check = try Refreshd.run("check-config", "--config", file.path)
        #expect(check.status == 0, "\(check.errors)")
        #expect(try Self.names(in: Self.folder(of: file)) == before)
        let daemon = try RunningDaemon(["--config", file.path])
        #expect(daemon.firstLine() != nil, "\(daemon.log)")
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
        #expect(
            try Self.names(in: Self.folder(of: file))
                == before.union(["journals", "requested", "state"]))
    }

    @Test("If a port is in use, a start fails before it runs a command or makes the snapshot key")
    func takenPort() throws {
        let other = try RunningDaemon(["--listen", "127.0.0.1:0", "--loops", "1"])
        let line = try #require(other.firstLine())
        let port = try #require(line.firstMatch(of: /"port":([0-9]+)/)).output.1
        let file = try Self.configuration(
            """
            listen: 127.0.0.1:\(port)
            resume: { stateFolder: state }
            feeds:
              a: { backend: exec, paging: none, command: [/bin/sh, -c, "echo > started; exec cat"] }
            """)
        let start = try RunningDaemon(
            program: "/bin/sh",
            [
                "-c", #"cd "$1" && exec "$2" --config "$3""#, "sh", Self.folder(of: file).path,
                Refreshd.executable.path, file.path,
            ]
        ).waitForEnd()
        #expect(start.status == 69, "\(start.errors)")
        #expect(!start.errors.contains("process"), "\(start.errors)")
        #expect(try Self.names(in: Self.folder(of: file)) == ["refreshd.yaml", "file"])
    }
}
