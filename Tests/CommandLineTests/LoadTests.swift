import Foundation
import RefreshProtocol
import Testing
import Workbench

@Suite("refresh-probe load", .ownThread, .limit)
struct LoadTests {
    private static func withDaemon(_ body: (RunningDaemon, String) throws -> Void) throws {
        let daemon = try RunningDaemon(["--demo", "--listen", "127.0.0.1:0"])
        let line = try #require(daemon.firstLine())
        let port = try #require(try JSONValue(parsing: line)["port"]?.number)
        try body(daemon, "ws://127.0.0.1:\(Int(port))/v1/session")
    }

    @Test("A load test measures a daemon and its process, and the status is 0")
    func sound() throws {
        try Self.withDaemon { daemon, url in
            let ending = try ProbeTests.run([
                "load", "--url", url, "--pid", "\(daemon.processIdentifier)", "--connections", "5",
                "--threads", "2", "--seconds", "0.5", "--warm-up", "0", "--pause", "0.1", "--json",
            ])
            #expect(ending.status == 0, "\(ending.errors) \(ending.output)")
            #expect(ending.errors.isEmpty)
            let found = try JSONValue(parsing: ending.output)
            let target = try #require(found["targets"]?.array?.first)
            #expect(target["url"] == .string(url))
            #expect(target["connections"] == .number(5))
            #expect((target["messages"]?.number ?? 0) > 0)
            #expect(target["messages"] == target["answered"])
            #expect((target["process"]?["residentBytes"]?.number ?? 0) > 1_000_000)
        }
    }

    @Test("Without a terminal, the output has no colours and no progress")
    func plain() throws {
        try Self.withDaemon { _, url in
            let ending = try ProbeTests.run([
                "load", "--url", url, "--against", url, "--connections", "2", "--seconds", "0.5",
                "--warm-up", "0", "--rate", "20",
            ])
            #expect(ending.status == 0, "\(ending.errors) \(ending.output)")
            #expect(ending.errors.isEmpty)
            #expect(!ending.output.contains("\u{1B}"))
            #expect(
                ending.output.hasPrefix(
                    "2 connections each on 1 thread, open loop, 20.0 messages/s each"))
            #expect(ending.output.contains("B to A"))
        }
    }

    @Test("If the server does not have the feed, the test reports a fault, and the status is 1")
    func unsound() throws {
        try Self.withDaemon { _, url in
            let ending = try ProbeTests.run([
                "load", "--url", url, "--connections", "1", "--seconds", "0.2", "--warm-up", "0",
                "--feed", "nothing", "--rate", "5",
            ])
            #expect(ending.status == 1)
            #expect(ending.output.contains("fault unknownFeed, 1 times"), "\(ending.output)")
        }
    }

    @Test("If the limit of open files is too low for the connections, the load test does not begin")
    func files() throws {
        let ending = try RunningDaemon(
            program: "/bin/sh",
            [
                "-c", #"ulimit -n 64; exec "$@""#, "sh", ProbeTests.executable.path, "load",
                "--url", "ws://127.0.0.1:1", "--connections", "50",
            ]
        ).waitForEnd()
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors == "150 open files are needed, but the limit is 64: see ulimit -n\n",
            "\(ending.errors)")
    }

    @Test("With --list, the built-in gestures are named")
    func list() throws {
        let ending = try ProbeTests.run(["load", "--list", "--gesture", "slow-*"])
        #expect(ending.status == 0)
        #expect(ending.output == "slow-pull.local\nslow-pull.stream\n")
    }

    @Test("With --list and --json, the output is an array of the gestures with their content")
    func listedAsJSON() throws {
        let ending = try ProbeTests.run(["load", "--list", "--json", "--gesture", "slow-*"])
        #expect(ending.status == 0)
        let gestures = try #require(try JSONValue(parsing: ending.output).array)
        #expect(
            gestures.map { $0["name"]?.string } == ["slow-pull.local", "slow-pull.stream"])
        #expect(gestures.map { $0["client"]?.string } == ["local", "stream"])
        for gesture in gestures {
            let frames = try #require(gesture["frames"]?.number)
            #expect(frames > 2 && (gesture["messages"]?.number ?? 0) >= frames)
            #expect((0.1...60).contains(gesture["seconds"]?.number ?? 0))
        }
    }

    @Test(
        "If a process does not exist, the probe names the option, and ends with the status 2 before the test",
        arguments: ["--pid", "--against-pid"])
    func noProcess(option: String) throws {
        // No process id is as large as this. Source: proc(5), /proc/sys/kernel/pid_max.
        let ending = try ProbeTests.run([
            "load", "--url", "ws://127.0.0.1:1", "--against", "ws://127.0.0.1:1", option,
            "4194305",
        ])
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors == "\(option): there is no process 4194305, or it has ended\n",
            "\(ending.errors)")
    }

    @Test("A process that ends during the load test is reported as ended, as text and as JSON")
    func endedProcess() throws {
        for flags in [[], ["--json"]] {
            let daemon = try RunningDaemon([
                "--demo", "--listen", "127.0.0.1:0", "--log-level", "debug",
            ])
            let port = try RefreshdTests.announcement(of: daemon).port
            // The process runs until its standard input is closed.
            let process = Process()
            let input = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/cat")
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let number = process.processIdentifier
            let probe = try RunningDaemon(
                program: ProbeTests.executable.path,
                [
                    "load", "--url", "ws://127.0.0.1:\(port)/v1/session", "--pid", "\(number)",
                    "--connections", "1", "--seconds", "0.2", "--warm-up", "1", "--rate", "5",
                ] + flags)
            // The process exists at the start of the load test, but not at its end.
            #expect(daemon.logs("session opened"))
            try input.fileHandleForWriting.close()
            process.waitForStatus()
            let ending = probe.waitForEnd()
            #expect(ending.status == 0, "\(ending.errors) \(ending.output)")
            guard flags.isEmpty else {
                let target = try JSONValue(parsing: ending.output)["targets"]?.array?.first
                #expect(target?["process"] == .null)
                #expect(target?["processEnded"] == .bool(true))
                continue
            }
            #expect(
                ending.output.contains(
                    "process \(number) has ended: its resource usage is unknown"),
                "\(ending.output)")
            #expect(!ending.output.contains("server CPU"))
        }
    }

    @Test(
        "For a wrong command line or an invalid trace, the status is 2",
        arguments: [
            [], ["--url", "http://127.0.0.1"], ["--url", "ws://a", "--rate", "5", "--closed"],
            ["--url", "ws://a", "--closed", "--speed", "2"],
            ["--url", "ws://a", "--rate", "5", "--pause", "9"],
            ["--url", "ws://a", "--against-pid", "1"], ["--url", "ws://a", "--connections", "0"],
            ["--url", "ws://a", "--seconds", "0"], ["--url", "ws://a", "--ca", "x.pem"],
            ["--url", "ws://a", "--trace", "/nonexistent"], ["--list", "--gesture", "nothing"],
            ["--url", "ws://a", "--trace", "/dev/null"], ["--url", "ws://a", "--pid", "0"],
            ["--list", "--pid", "1"],
        ])
    func wrongUse(arguments: [String]) throws {
        let ending = try ProbeTests.run(["load"] + arguments)
        #expect(ending.status == 2, "\(ending.errors)")
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("If there is no server, the probe names the URL, and the status is 3")
    func unreachable() throws {
        let ending = try ProbeTests.run([
            "load", "--url", "ws://127.0.0.1:1/v1/session", "--connections", "2",
        ])
        #expect(ending.status == 3)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("ws://127.0.0.1:1/v1/session: it cannot be reached"))
    }
}
