import Foundation
import LoadTesting
import RefreshProtocol
import Testing
import Workbench

/// Tools whose output cannot be written. Source: docs/refresh-probe.md, "Exit statuses";
/// docs/operations.md, "Signals and exit statuses".
@Suite("Output that cannot be written", .ownThread, .limit)
struct BrokenOutputTests {
    private static func expectEnd(
        of arguments: [String], _ output: BrokenOutput,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ending = try output.run(ProbeTests.executable, arguments)
        #expect(
            ending.status == output.status(failure: 2), "\(arguments) \(output): \(ending)",
            sourceLocation: sourceLocation)
        #expect(ending.errors == output.complaint, "\(arguments)", sourceLocation: sourceLocation)
    }

    @Test(
        "A command that needs no server ends as documented if its output cannot be written",
        arguments: BrokenOutput.allCases)
    func alone(output: BrokenOutput) throws {
        let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
        let journal = try TemporaryFile("slow-pull.jsonl")
        try journal.write(trace.bytes)
        let scenario = try TemporaryFile(
            "a.scenario", "description: d\nexpectation: e\n\n# p\nhello\nexpect welcome\n")
        let commands = [
            ["explain"], ["explain", "--json"], ["explain", "4101"], ["conform", "--list"],
            ["conform", "--list", "--json"], ["conform", "--listen", "127.0.0.1:0", "--list"],
            ["plot", "session", journal.path], ["plot", "sheet", "spinner"],
            ["load", "--list"], ["load", "--list", "--json"], ["replay", journal.path],
            ["replay", "--json", journal.path], ["run", scenario.path],
            ["run", "--json", "--verbose", scenario.path], ["--help"], ["help", "run"],
            ["conform", "--help"], ["--version"], ["--generate-completion-script", "bash"],
        ]
        for command in commands { try Self.expectEnd(of: command, output) }
        withExtendedLifetime((journal, scenario)) {}
    }

    @Test(
        "A command that needs a server ends as documented if its output cannot be written",
        arguments: BrokenOutput.allCases)
    func withServer(output: BrokenOutput) throws {
        let file = try TemporaryFile(
            "refreshd.yaml", "demo: true\nlisten: [\"127.0.0.1:0\"]\nadmin: [\"127.0.0.1:0\"]\n")
        let daemon = try RunningDaemon(["--config", file.path])
        let places = try RefreshdTests.announcement(of: daemon).listeners.map(\.port)
        let url = "ws://127.0.0.1:\(places[0])/v1/session"
        let scenario = try TemporaryFile(
            "a.scenario", "description: d\nexpectation: e\n\n# p\nhello\nexpect welcome\n")
        let commands = [
            ["run", "--url", url, scenario.path],
            ["conform", "--url", url, "--case", "session-01"],
            ["conform", "--url", url, "--case", "session-01", "--json"],
            [
                "load", "--url", url, "--connections", "1", "--seconds", "0.1", "--warm-up", "0",
                "--closed",
            ],
            ["watch", "--url", "ws://127.0.0.1:\(places[1])"],
            ["watch", "--json", "--url", "ws://127.0.0.1:\(places[1])"],
        ]
        for command in commands { try Self.expectEnd(of: command, output) }
        withExtendedLifetime((daemon, file, scenario)) {}
    }

    @Test("If standard error cannot be written, the exit status is unchanged")
    func complaints() throws {
        for end in ["2>&-", "2>/dev/full"] {
            let ending = try RunningDaemon(
                program: "/bin/sh",
                ["-c", #"exec "$@" \#(end)"#, "sh", ProbeTests.executable.path, "explain", "zzz"]
            ).waitForEnd()
            #expect(ending.status == 1)
            #expect(ending.output.isEmpty)
        }
    }

    @Test(
        "If the help or the output of a subcommand cannot be written, refreshd reports the error",
        arguments: BrokenOutput.allCases)
    func daemon(output: BrokenOutput) throws {
        let commands = [
            ["--help"], ["--version"], ["print-config"], ["print-config", "--schema"],
            ["check-config", "--help"],
        ]
        for command in commands {
            let ending = try output.run(Refreshd.executable, command)
            #expect(ending.status == output.status(failure: 74), "\(command) \(ending)")
            let complaint = output.complaint.isEmpty ? "" : "refreshd: " + output.complaint
            #expect(ending.errors == complaint, "\(command)")
        }
        #expect(try output.run(Refreshd.executable, ["check-config"]).status == 0)
    }

    @Test("A daemon serves requests even if its first line of output cannot be written")
    func serving() async throws {
        for redirection in [">&-", ">/dev/full", "<&- >&- 2>&-"] {
            let daemon = try RunningDaemon(
                program: "/bin/sh",
                [
                    "-c", #"exec "$@" \#(redirection)"#, "sh", Refreshd.executable.path,
                    "--listen", "127.0.0.1:0",
                ])
            let process = daemon.processIdentifier
            // The daemon opens /dev/null in place of closed streams.
            #expect(await becomesTrue { Self.target(of: 3, process) != nil })
            let expected = redirection.contains("full") ? "/dev/full" : "/dev/null"
            #expect(await becomesTrue { Self.target(of: 1, process) == expected })
            if !redirection.contains("2>&-") { #expect(daemon.logs("listening")) }
            daemon.send(SIGTERM)
            #expect(daemon.waitForEnd().status == 0, "\(redirection)")
        }
    }

    /// Returns the file that a descriptor of a process refers to. Nil if the process has not opened
    /// it.
    private static func target(of descriptor: Int, _ process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/fd/\(descriptor)")
    }
}
