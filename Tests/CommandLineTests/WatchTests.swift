import Foundation
import Testing
import WireContract
import Workbench

@Suite("refresh-probe watch", .ownThread, .limit)
struct WatchTests {
    /// Starts a daemon with a listener for operators and these further lines of configuration.
    /// Returns the daemon, its port for sessions, and its port for operators.
    static func daemon(
        _ lines: String = ""
    ) throws -> (daemon: RunningDaemon, port: Int, admin: Int) {
        let file = try Refreshd.configuration(
            "listen: [\"127.0.0.1:0\"]\nadmin: [\"127.0.0.1:0\"]\n\(lines)\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try RunningDaemon(["--config", file.path])
        let line = try #require(daemon.firstLine())
        let announcement = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let listeners = try #require(announcement?["listeners"] as? [[String: Any]])
        let ports = listeners.compactMap { $0["port"] as? Int }
        return (daemon, try #require(ports.first), try #require(ports.last))
    }

    /// Starts the built `refresh-probe`. Its output goes to the pipe.
    static func start(_ arguments: [String]) throws -> (process: Process, lines: Pipe) {
        let process = Process()
        let output = Pipe()
        process.executableURL = ProbeTests.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    /// Reads until `isEnough` returns true. Fails at the end of the output.
    static func read(
        _ pipe: Pipe, until isEnough: (String) -> Bool
    ) throws -> String {
        var all = Data()
        while true {
            let more = pipe.fileHandleForReading.availableData
            try #require(
                !more.isEmpty, "the output ended after: \(String(decoding: all, as: UTF8.self))")
            all.append(more)
            let text = String(decoding: all, as: UTF8.self)
            if isEnough(text) { return text }
        }
    }

    /// Opens a session with `hello` and ends it.
    static func session(port: Int) throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("watch-\(UUID().uuidString).scenario")
        let text = "description: d\nexpectation: e\n\n# phase\nhello\nexpect welcome\n"
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = try ProbeTests.run(
            ["run", "--url", "ws://127.0.0.1:\(port)/v1/session", file.path])
        #expect(ending.status == 0)
    }

    @Test("If no event of the chosen feed arrives, the probe reports that and continues to wait")
    func quiet() throws {
        let (daemon, port, admin) = try Self.daemon()
        let probe = try RunningDaemon(
            program: ProbeTests.executable.path,
            ["watch", "--url", "ws://127.0.0.1:\(admin)", "--feed", "no\u{1B}pe"])
        #expect(probe.logs("\n"))
        #expect(probe.log == "no event of views of the feed no\\u001bpe yet; still waiting\n")
        try Self.session(port: port)
        probe.send(SIGTERM)
        #expect(probe.waitForEnd().status == -SIGTERM)
        _ = daemon
    }

    @Test("The probe prints a line for each event, and ends with status 3 when the daemon is gone")
    func lines() throws {
        let (daemon, port, admin) = try Self.daemon()
        let (process, lines) = try Self.start(["watch", "--url", "ws://127.0.0.1:\(admin)"])
        defer { process.terminate() }
        _ = try Self.read(lines) { $0.contains("watching") }
        try Self.session(port: port)
        let text = try Self.read(lines) { $0.contains("closed") }
        let rows = text.split(separator: "\n").filter { $0.contains(":") }
        #expect(rows.contains { $0.contains("opened") && $0.contains("peer=127.0.0.1") })
        #expect(rows.contains { $0.contains("received") && $0.contains("type=hello") })
        #expect(rows.contains { $0.contains("greeted") && $0.contains("frames=plain") })
        // The columns of all events are aligned.
        #expect(Set(rows.map { $0.prefix(29).filter { $0 == " " }.count }).count == 1)
        #expect(!text.contains("\u{1B}"))
        daemon.send(SIGKILL)
        process.waitForStatus()
        #expect(process.waitForStatus() == 3)
    }

    @Test("With --json, each line is an event, and only events that match the filter are printed")
    func json() throws {
        let (daemon, port, admin) = try Self.daemon()
        defer { daemon.send(SIGKILL) }
        let (other, otherLines) = try Self.start(
            ["watch", "--json", "--session", "none", "--url", "ws://127.0.0.1:\(admin)/v1/watch"])
        defer { other.terminate() }
        _ = try Self.read(otherLines) { $0.contains("watching") }
        let (process, lines) = try Self.start(
            ["watch", "--json", "--url", "ws://127.0.0.1:\(admin)/"])
        defer { process.terminate() }
        _ = try Self.read(lines) { $0.hasSuffix("\n") }
        try Self.session(port: port)
        let text = try Self.read(lines) { $0.contains("\"closed\"") && $0.hasSuffix("\n") }
        let contract = MessageCheck(SchemaStyle(isClosed: true))
        for line in text.split(separator: "\n") {
            let findings = contract.violations(inFrame: String(line), from: .watch)
            #expect(findings.isEmpty, "\(line)")
            #expect(!line.hasPrefix("["), "the output is not one event per line")
        }
        // `other` has a filter that matches no session, so it has printed no event before its end.
        daemon.send(SIGKILL)
        other.waitForStatus()
        #expect(otherLines.fileHandleForReading.availableData.isEmpty)
    }

    @Test(
        "For a wrong command line, the status is 2, and for an unreachable daemon, it is 3",
        arguments: [
            (["watch"], 2), (["watch", "--url", "http://127.0.0.1"], 2),
            (["watch", "--url", "ws://127.0.0.1/?session=a"], 2),
            (["watch", "--url", "ws://127.0.0.1", "--token", "a b"], 2),
            (["watch", "--url", "ws://127.0.0.1", "--token", "@/nowhere/token"], 2),
            (["watch", "--url", "ws://127.0.0.1:1"], 3),
        ] as [([String], Int32)])
    func wrongUse(arguments: [String], status: Int32) throws {
        let ending = try ProbeTests.run(arguments)
        #expect(ending.status == status)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("With --admin, a demo has a listener for operators. This listener must be on loopback")
    func demo() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
        let line = try #require(daemon.firstLine())
        let announcement = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let listeners = try #require(announcement?["listeners"] as? [[String: Any]])
        let admin = try #require(listeners.compactMap { $0["port"] as? Int }.last)
        let (process, lines) = try Self.start(["watch", "--url", "ws://127.0.0.1:\(admin)"])
        defer { process.terminate() }
        #expect(try Self.read(lines) { $0.contains("watching") }.contains("watching"))
        daemon.send(SIGKILL)
        process.waitForStatus()
    }

    @Test("With --token, the probe receives events from a listener for sessions")
    func token() throws {
        // The hash is that of the text `password`.
        let file = try Refreshd.configuration(
            """
            listen: ["127.0.0.1:0"]
            tokens:
              - { name: ops, sha256: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8", may: [administer] }
            """)
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try RunningDaemon(["--config", file.path])
        defer { daemon.send(SIGKILL) }
        let line = try #require(daemon.firstLine())
        let announcement = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let port = try #require(
            (announcement?["listeners"] as? [[String: Any]])?.first?["port"] as? Int)
        let secret = FileManager.default.temporaryDirectory
            .appendingPathComponent("watch-\(UUID().uuidString).token")
        try Data("password\n".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        for token in ["password", "@\(secret.path)"] {
            let (process, lines) = try Self.start(
                ["watch", "--url", "ws://127.0.0.1:\(port)", "--token", token])
            defer { process.terminate() }
            #expect(try Self.read(lines) { $0.contains("watching") }.contains("watching"))
        }
        let wrong = try ProbeTests.run(
            ["watch", "--url", "ws://127.0.0.1:\(port)", "--token", "wrong"])
        #expect(wrong.status == 3)
        #expect(wrong.errors.contains("This token is unknown to the daemon."))
    }

    @Test("On a listener for sessions, a watch without a token is refused with advice")
    func refused() throws {
        let (daemon, port, _) = try Self.daemon()
        defer { daemon.send(SIGKILL) }
        let ending = try ProbeTests.run(["watch", "--url", "ws://127.0.0.1:\(port)"])
        #expect(ending.status == 3)
        #expect(ending.errors.contains("401"))
        #expect(ending.errors.contains("a token that may `administer` (--token)"))
        #expect(ending.errors.contains("--admin 127.0.0.1:9090"))
    }
}
