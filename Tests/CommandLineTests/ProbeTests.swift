import Foundation
import LoadTesting
import ScenarioKit
import Testing
import Workbench

@Suite("refresh-probe", .ownThread, .limit)
struct ProbeTests {
    private static let passing = "hello\nexpect welcome"
    private static let failing = "hello\nexpect pong within 100ms"

    @Test("If every scenario passes, the status is 0")
    func passed() throws {
        let ending = try Self.run(["first": Self.passing, "second": Self.passing])
        #expect(ending.status == 0)
        #expect(ending.output == "ok    first\nok    second\n2 passed, 0 failed\n")
        #expect(ending.errors.isEmpty)
    }

    @Test("If a scenario fails, the others still run, and the status is 1")
    func failed() throws {
        let ending = try Self.run(["first": Self.failing, "second": Self.passing])
        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("FAIL  first\n"))
        #expect(ending.output.contains("  ! expect pong within 100ms    (line 6)\n"))
        #expect(ending.output.hasSuffix("\nok    second\n1 passed, 1 failed\n"))
        #expect(ending.errors.isEmpty)
    }

    @Test("With --json, the status is the same as without it, and every line is a JSON object")
    func json() throws {
        let ending = try Self.run(
            ["first": Self.failing, "second": Self.passing], flags: ["--json"])
        #expect(ending.status == 1)
        let lines = ending.output.split(separator: "\n")
        let verdicts = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return (object as? [String: Any])?["verdict"] as? String
        }
        #expect(verdicts == ["failed", "passed", nil])
        #expect(lines.last == #"{"passed":1,"failed":1,"skipped":0}"#)
    }

    @Test("For a syntax error, its position is printed, no scenario runs, and the status is 2")
    func unparsable() throws {
        let ending = try Self.run(["first": Self.passing, "second": "hello\nfly list"])
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasSuffix("second.scenario:6:1: expected a step, found `fly`\n"))
    }

    @Test("If a scenario with random values fails, the given seed is printed")
    func seed() throws {
        let steps = "latency 5ms ± 2ms\nhello\nexpect pong within 100ms"
        let ending = try Self.run(["first": steps], flags: ["--seed", "42"])
        #expect(ending.status == 1)
        #expect(ending.output.hasSuffix("\n  seed 42\n0 passed, 1 failed\n"))
    }

    @Test("If a file is missing, its name is printed, no scenario runs, and the status is 2")
    func missing() throws {
        let ending = try Self.run(
            ["first": Self.passing], flags: ["/nonexistent.scenario"])
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("/nonexistent.scenario"))
    }

    @Test(
        "For a wrong command line, the status is 2",
        arguments: [
            ["run"], ["run", "--lisen", "x"], ["run", "--url", "here", "x"], ["walk"], ["replay"],
            ["replay", "a", "b"], [], ["explain", "4100", "4101"],
        ])
    func wrongUse(arguments: [String]) throws {
        let ending = try Self.run(arguments)
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("If there is no daemon, the status is 3, and no scenario is reported as failed")
    func unreachable() throws {
        let flags = ["--url", "ws://127.0.0.1:1/v1/session"]
        let ending = try Self.run(["first": Self.passing], flags: flags)
        #expect(ending.status == 3)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("ws://127.0.0.1:1/v1/session cannot be reached"))
    }

    @Test(
        "If a URL is not a valid WebSocket URL, every command names the option, and the status is 2",
        arguments: [
            ["run", "x.scenario", "--url"], ["conform", "--url"], ["load", "--url"],
            ["load", "--url", "ws://127.0.0.1", "--against"], ["replay", "x.jsonl", "--url"],
            ["watch", "--url"],
        ])
    func malformedURL(command: [String]) throws {
        let option = try #require(command.last)
        for url in [
            "http://127.0.0.1", "127.0.0.1:80", "ws://", "ws://:80/", "ws://127.0.0.1:0",
            "ws://127.0.0.1:65536", "ws://127.0.0.1:+80", "ws://127.0.0.1:x", "ws://[::1",
            "ws://[1.2.3.4]", "ws://::1", "ws://me@127.0.0.1", "ws://127.0.0.1/#top",
            "ws://127.0.0.1/a b", "",
        ] {
            let ending = try Self.run(command + [url])
            #expect(ending.status == 2, "\(command) \(url)")
            #expect(ending.output.isEmpty)
            #expect(
                ending.errors.contains("The value '\(url)' is invalid for '\(option) <"),
                "\(command) \(ending.errors)")
        }
    }

    @Test(
        "If an address is malformed, `conform` names the option, and the status is 2",
        arguments: ["--listen", "--driver"])
    func malformedAddress(option: String) throws {
        for address in ["127.0.0.1", "here:80", "127.0.0.1:65536", "::1:80"] {
            let ending = try Self.run(["conform", option, address])
            #expect(ending.status == 2)
            #expect(
                ending.errors.contains("The value '\(address)' is invalid for '\(option) <"),
                "\(ending.errors)")
        }
    }

    @Test("If there is no server, every command names the URL, and the status is 3")
    func noServer() throws {
        let url = "ws://127.0.0.1:1/v1/session"
        let trace = try #require(TouchTrace.all.first)
        let journal = try TemporaryFile("trace.jsonl")
        try journal.write(trace.bytes)
        let commands = [
            ["conform", "--url", url], ["load", "--url", url], ["watch", "--url", url],
            ["replay", journal.path, "--url", url],
        ]
        for command in commands {
            let ending = try Self.run(command)
            #expect(ending.status == 3, "\(command) \(ending.errors)")
            #expect(ending.output.isEmpty)
            #expect(ending.errors.contains("127.0.0.1:1"), "\(command) \(ending.errors)")
        }
    }

    @Test("On a terminal, verdicts have colours unless NO_COLOR is set")
    func colours() throws {
        let folder = try TemporaryFile("first.scenario", Self.scenario(Self.passing))
        let second = try TemporaryFile("second.scenario", Self.scenario(Self.failing))
        let arguments = ["run", folder.path, second.path]
        let shown = try Self.onTerminal(arguments)
        #expect(shown.status == 1)
        let good = Tint.good.painting("ok")
        let bad = Tint.bad.painting("FAIL")
        #expect(shown.output.contains("\(good)    first\n\(bad)  second\n"), "\(shown.output)")
        #expect(shown.output.hasSuffix(Tint.bad.painting("1 passed, 1 failed") + "\n"))
        for variable in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let plain = try Self.onTerminal(arguments, environment: variable)
            #expect(!plain.output.contains("\u{1B}"), "\(variable)")
            #expect(plain.output.contains("ok    first\n"))
        }
        #expect(try !Self.run(arguments).output.contains("\u{1B}"))
    }

    private static func scenario(_ steps: String) -> String {
        "description: d\nexpectation: e\n\n# phase\n\(steps)\n"
    }

    /// Writes a scenario file for each entry of `steps`, and runs the files in the order of their
    /// names.
    static func run(
        _ steps: [String: String], flags: [String] = []
    ) throws -> Refreshd.Ending {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("refresh-probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try steps.sorted { $0.key < $1.key }.map { name, steps in
            let file = folder.appendingPathComponent("\(name).scenario")
            try Data(Self.scenario(steps).utf8).write(to: file)
            return file.path
        }
        return try run(["run"] + flags + files)
    }

    /// The probe is in the same folder as the daemon.
    static var executable: URL {
        Refreshd.executable.deletingLastPathComponent().appendingPathComponent("refresh-probe")
    }

    /// Runs the built `refresh-probe` until it ends.
    static func run(_ arguments: [String]) throws -> Refreshd.Ending {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The streams can be read one after the other, because standard error is far shorter than a
        // pipe's buffer.
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        return Refreshd.Ending(
            status: process.waitForStatus(),
            output: String(decoding: written, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}
