import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import LoadTesting

@Suite("The results of a load test")
struct LoadResultsTests {
    private static func times(
        _ p50: UInt64, _ p90: UInt64, _ p99: UInt64, _ p999: UInt64, _ max: UInt64
    ) -> LoadResults.Times {
        LoadResults.Times(
            count: 1000, mean: Double(p50), p50: p50, p90: p90, p99: p99, p999: p999, max: max)
    }

    private static func target(_ url: String) -> LoadResults.Target {
        LoadResults.Target(
            url: url, connections: 2000, failed: 0, lost: 0, closeCodes: [:], faults: [:],
            sent: 200_000, answered: 200_000, messagesPerSecond: 20_000, bytesSent: 26_000_000,
            bytesReceived: 90_000_000, latency: times(110, 320, 1400, 5200, 12_300),
            greeting: times(800, 2000, 21_000, 22_000, 22_000),
            server: ProcessShare(
                cpuPercent: 41.25, cpuMicrosecondsPerMessage: 20.625,
                residentBefore: 100 << 20, residentAfter: 101 << 20))
    }

    private static func findings(_ targets: LoadResults.Target...) -> LoadResults {
        LoadResults(
            connections: 2000, threads: 2, pace: .recorded(speed: 1, pause: 2_000_000),
            seconds: 10, targets: targets,
            generator: ProcessShare(
                cpuPercent: 52, cpuMicrosecondsPerMessage: 26, residentBefore: 0, residentAfter: 0),
            lag: times(52, 90, 400, 900, 2000))
    }

    private static func text(_ findings: LoadResults) -> String {
        findings.text { text, _ in text }
    }

    /// Returns the code blocks in the section "Load" of docs/refresh-probe.md.
    private static func blocks() throws -> [String] {
        let root = ProjectFolder.root
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/refresh-probe.md"), encoding: .utf8)
        let section = try #require(page.range(of: "\n## Load\n"))
        let end = page.range(of: "\n## ", range: section.upperBound..<page.endIndex)
        let text = page[section.upperBound..<(end?.lowerBound ?? page.endIndex)]
        return text.components(separatedBy: "```\n").enumerated()
            .compactMap { $0.offset % 2 == 1 ? $0.element : nil }
    }

    @Test("The examples in docs/refresh-probe.md match the printed output")
    func examples() throws {
        let one = Self.findings(Self.target("ws://127.0.0.1:8080/v1/session"))
        #expect(try Self.blocks().contains(Self.text(one) + "\n"), "\(Self.text(one))")
        var second = Self.target("ws://127.0.0.1:8081/v1/session")
        second.latency = Self.times(130, 350, 1300, 6100, 15_000)
        second.server?.cpuMicrosecondsPerMessage = 24.2
        second.server?.cpuPercent = 48.4
        second.faults = ["tooManyFrames": 3]
        second.lost = 3
        second.closeCodes = [4104: 3]
        second.answered -= 12
        let two = Self.findings(Self.target("ws://127.0.0.1:8080/v1/session"), second)
        #expect(try Self.blocks().contains(Self.text(two) + "\n"), "\(Self.text(two))")
    }

    @Test("The report states whether the load test itself sent too late or was always busy")
    func limit() {
        var late = Self.findings(Self.target("ws://a"))
        #expect(!late.isGeneratorAtItsLimit)
        #expect(!Self.text(late).contains("itself was late"))
        late.lag?.p99 = 1001
        #expect(late.isGeneratorAtItsLimit)
        #expect(Self.text(late).contains("itself was late"))
        var busy = Self.findings(Self.target("ws://a"))
        busy.generator?.cpuPercent = 181
        #expect(busy.isGeneratorAtItsLimit)
    }

    @Test("Any failure makes the result unsound")
    func sound() {
        #expect(Self.findings(Self.target("ws://a")).isSound)
        let changes: [(inout LoadResults.Target) -> Void] = [
            { $0.failed = 1 }, { $0.lost = 1 }, { $0.answered -= 1 }, { $0.faults["x"] = 1 },
            { $0.unreadable[.binary] = 1 },
        ]
        for change in changes {
            var target = Self.target("ws://b")
            change(&target)
            #expect(!Self.findings(Self.target("ws://a"), target).isSound)
        }
    }

    @Test("A process that has ended is reported, without its resource usage")
    func ended() throws {
        var first = Self.target("ws://a")
        first.server = nil
        first.endedProcess = 42
        let alone = Self.text(Self.findings(first))
        #expect(
            alone.contains("\nprocess 42 has ended: its resource usage is unknown\n"), "\(alone)")
        #expect(!alone.contains("server CPU"))
        let both = Self.text(Self.findings(first, Self.target("ws://b")))
        #expect(
            both.contains("\nA: process 42 has ended: its resource usage is unknown\n"), "\(both)")
        let json = Self.findings(first).json["targets"]?.array?.first
        #expect(json?["process"] == .null && json?["processEnded"] == .bool(true))
    }

    @Test("A process that reuses the id of the measured process does not count as that process")
    func otherProcess() throws {
        var before = try #require(ObservedProcess(getpid()))
        let after = before
        #expect(ProcessShare(before, after, seconds: 1, messages: 1) != nil)
        before.began -= 1
        #expect(ProcessShare(before, after, seconds: 1, messages: 1) == nil)
        #expect(ProcessShare(before, nil, seconds: 1, messages: 1) == nil)
    }

    @Test("A server that does not answer has no latency and is not compared")
    func unanswered() throws {
        var mute = Self.target("ws://b")
        mute.answered = 0
        mute.latency = nil
        let findings = Self.findings(Self.target("ws://a"), mute)
        let rows = Self.text(findings).split(separator: "\n")
        for name in ["latency  p50", "         max"] {
            let row = try #require(rows.first { $0.hasPrefix(name) })
            #expect(row.hasSuffix("-       -"), "\(row)")
            #expect(!row.contains("%"))
        }
        let target = try JSONValue(parsing: findings.json.text)["targets"]?.array?.last
        #expect(target?["latencyUs"] == .null)
        #expect(target?["greetingUs"]?["p50"] == .number(800))
    }

    @Test("Control characters in a fault code do not reach the terminal")
    func escapes() {
        var target = Self.target("ws://a")
        target.faults = ["weird\u{1B}[31m": 1]
        let text = Self.text(Self.findings(target))
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains(#"fault "weird\u001b[31m", 1 times"#), "\(text)")
    }

    @Test("The JSON has exactly the members that docs/refresh-probe.md names")
    func json() throws {
        let json = try JSONValue(parsing: Self.findings(Self.target("ws://a")).json.text)
        func names(_ value: JSONValue?) -> [String] {
            guard case .object(let members)? = value else { return [] }
            return members.map(\.name)
        }
        let target = json["targets"]?.array?.first
        let times = ["count", "mean", "p50", "p90", "p99", "p99.9", "max"]
        #expect(
            names(json) == [
                "connections", "threads", "pace", "seconds", "sound", "targets", "generator",
            ])
        #expect(
            names(target) == [
                "url", "connections", "notConnected", "lost", "closeCodes", "faults",
                "unreadable", "messages", "answered", "messagesPerSecond", "bytesSent",
                "bytesReceived", "latencyUs", "greetingUs", "process", "processEnded", "returns",
            ])
        #expect(target?["returns"] == .null)
        #expect(names(target?["latencyUs"]) == times)
        #expect(names(json["generator"]) == ["process", "lateUs", "atItsLimit"])
        #expect(
            names(target?["process"]) == [
                "cpuPercent", "cpuUsPerMessage", "residentBytesBefore", "residentBytes",
            ])
        #expect(target?["latencyUs"]?["p99.9"] == .number(5200))
        #expect(json["pace"]?["pauseSeconds"] == .number(2))
    }

    @Test(
        "Numbers are printed with three significant digits",
        arguments: [
            (0, "0.000 ms"), (7, "0.007 ms"), (999, "0.999 ms"), (1004, "1.00 ms"),
            (12_345, "12.3 ms"), (999_900, "1,000 ms"), (1_500_000, "1.50 s"),
        ])
    func times(microseconds: UInt64, text: String) {
        #expect(LoadResults.time(microseconds) == text)
    }
}
