import Foundation
import LoadTesting
import Testing
import Workbench

/// The built probe makes scenarios of journals.
@Suite("refresh-probe new-scenario", .ownThread, .limit)
struct NewScenarioTests {
    /// Writes a scenario of each recorded gesture into a folder. Returns the paths.
    private static func scenarios(in folder: JournalTests.Folder) throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false)
        return try TouchTrace.all.map { trace in
            let journal = try TemporaryFile("trace.jsonl")
            try journal.write(trace.bytes)
            let path = "\(folder.path)/session-\(trace.name).scenario"
            let ending = try ProbeTests.run(["new-scenario", journal.path, "--output", path])
            #expect(ending.status == 0, "\(trace.name) \(ending.errors)")
            return path
        }
    }

    @Test("The scenarios of the daemon's journals pass on a daemon with the recorded pages")
    func same() throws {
        let folder = JournalTests.Folder()
        let (daemon, url, files) = try ReplayTests.daemon()
        let scenarios = try Self.scenarios(in: folder)
        let ending = try ProbeTests.run(["run", "--url", url] + scenarios)
        #expect(ending.status == 0, "\(ending.output.suffix(20_000))")
        #expect(ending.output.hasSuffix("\(scenarios.count) passed, 0 failed\n"))
        withExtendedLifetime((daemon, files)) {}
    }

    @Test("The scenarios of the daemon's journals fail on a daemon with other pages")
    func other() throws {
        let folder = JournalTests.Folder()
        let (daemon, url, files) = try ReplayTests.daemon(pageSize: 8)
        let scenarios = try Self.scenarios(in: folder)
        let ending = try ProbeTests.run(
            ["run", "--jobs", "\(scenarios.count)", "--url", url] + scenarios)
        #expect(ending.status == 1)
        #expect(ending.output.hasSuffix("0 passed, \(scenarios.count) failed\n"))
        withExtendedLifetime((daemon, files)) {}
    }

    @Test("A torn last line is ignored, and a journal that is damaged or no journal is refused")
    func damaged() throws {
        let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
        let file = try TemporaryFile("trace.jsonl")
        try file.write(Array(trace.bytes.dropLast(10)))
        let torn = try ProbeTests.run(["new-scenario", file.path])
        #expect(torn.status == 0 && torn.output.hasPrefix("description: "), "\(torn.errors)")

        var changed = Array(trace.bytes)
        let place = try #require(changed.lastIndex(of: UInt8(ascii: "w")))
        changed[place] = UInt8(ascii: "x")
        try file.write(changed)
        let damaged = try ProbeTests.run(["new-scenario", file.path])
        #expect(damaged.status == 2 && damaged.output.isEmpty)
        #expect(damaged.errors.contains("is damaged: line "), "\(damaged.errors)")

        for garbage in ["", "{}\n", "description: a scenario\n", "\u{0}\n"] {
            try file.write(garbage)
            let refused = try ProbeTests.run(["new-scenario", file.path])
            #expect(refused.status == 2 && refused.output.isEmpty)
            #expect(refused.errors.contains("is not a journal"), "\(refused.errors)")
        }
        let missing = try ProbeTests.run(["new-scenario", "/nonexistent.jsonl"])
        #expect(missing.status == 2 && missing.errors.hasPrefix("/nonexistent.jsonl: "))
    }

    @Test("If the scenario cannot be written or --json has no --output, the status is 2")
    func wrongUse() throws {
        let trace = try #require(TouchTrace.all.first)
        let file = try TemporaryFile("trace.jsonl")
        try file.write(trace.bytes)
        for options in [["--json"], ["--output", "/nonexistent/x.scenario"], ["--speed", "2"]] {
            let ending = try ProbeTests.run(["new-scenario", file.path] + options)
            #expect(ending.status == 2 && ending.output.isEmpty && !ending.errors.isEmpty)
        }
    }
}
