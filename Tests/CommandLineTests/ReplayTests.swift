import Foundation
import LoadTesting
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

/// The built probe replays recorded sessions to a daemon.
@Suite("refresh-probe replay --url", .ownThread, .limit)
struct ReplayTests {
    /// Starts a daemon that serves the pages with which the traces were recorded, or pages of
    /// another size.
    static func daemon(
        pageSize: Int = 16
    ) throws -> (RunningDaemon, url: String, files: [TemporaryFile]) {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let packages = try String(
            contentsOf: root.appending(path: "clients/web/packages.json"), encoding: .utf8)
        let items = try JSONValue(parsing: packages).array ?? []
        let page = try TemporaryFile("packages.json", JSONValue.array(Array(items[..<44])).text)
        let configuration = try TemporaryFile(
            "refreshd.yaml",
            """
            demo: true
            listen: ["127.0.0.1:0"]
            feeds:
              packages: { backend: file, path: "\(page.path)", paging: page, size: \(pageSize) }
            """)
        let daemon = try RunningDaemon(["--config", configuration.path])
        let port = try RefreshdTests.announcement(of: daemon).port
        return (daemon, "ws://127.0.0.1:\(port)/v1/session", [page, configuration])
    }

    @Test("For a changed journal, the first difference is shown among the frames around it")
    func changed() throws {
        let (daemon, url, files) = try Self.daemon()
        let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
        let old = #"\"state\":\"eligible\""#
        let lines = String(decoding: trace.bytes, as: UTF8.self).split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.contains(old) })
        let changed = lines.enumerated().map { number, line in
            guard number == index else { return String(line) }
            return Self.summed(String(line).replacing(old, with: #"\"state\":\"pulling\""#))
        }
        let file = try TemporaryFile("changed.jsonl", changed.joined(separator: "\n") + "\n")
        let ending = try ProbeTests.run(["replay", file.path, "--url", url, "--context", "2"])
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.output.hasPrefix("line \(index + 1), "), "\(ending.output)")
        #expect(
            ending.output.contains(
                """

                  field     $.top.state
                  recorded  "pulling"
                  replayed  "eligible"

                """), "\(ending.output)")
        #expect(!ending.output.contains("\u{1B}"))
        let found = try JSONValue(
            parsing: try ProbeTests.run(["replay", file.path, "--url", url, "--json"]).output)
        #expect(found["verdict"] == .string("different"))
        #expect(found["line"] == .number(Double(index + 1)))
        #expect(found["field"]?["path"] == .string("$.top.state"))
        #expect(found["cause"]?["line"] == .number(Double(index)))
        let replayed = try #require(found["context"]?["replayed"]?.array)
        let recorded = try #require(found["context"]?["recorded"]?.array)
        #expect(recorded.count == 7 && replayed.count == 7)
        #expect(recorded[3]["differs"] == .bool(true) && replayed[3]["differs"] == .bool(true))
        withExtendedLifetime((daemon, files)) {}
    }

    @Test("On a terminal, the progress is shown during the replay and then removed")
    func progress() throws {
        let (daemon, url, files) = try Self.daemon()
        let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
        let file = try TemporaryFile("trace.jsonl")
        try file.write(trace.bytes)
        let shown = try ProbeTests.onTerminal(["replay", file.path, "--url", url])
        let steps = shown.output.components(separatedBy: "\r\u{1B}[K")
        #expect(steps.count > 5, "\(shown.output)")
        #expect(steps.dropFirst().dropLast().allSatisfy { $0.contains(" frames, ") })
        #expect(steps.last?.contains(" sent, ") == true, "\(shown.output)")
        for quiet in [["replay", file.path], ["replay", file.path, "--url", url, "--json"]] {
            let ending = try ProbeTests.onTerminal(quiet)
            #expect(!ending.output.contains("\u{1B}[K"), "\(quiet) \(ending.output)")
        }
        let piped = try ProbeTests.run(["replay", file.path, "--url", url])
        #expect(piped.errors.isEmpty && !piped.output.contains("\u{1B}"))
        withExtendedLifetime((daemon, files)) {}
    }

    @Test("If the server accepts the connection but sends nothing, the status of the replay is 3")
    func silent() throws {
        let silence = try LocalServer { $0.waitForHangUp() }
        let trace = try #require(TouchTrace.all.first)
        let file = try TemporaryFile("trace.jsonl")
        try file.write(trace.bytes)
        let ending = try ProbeTests.run([
            "replay", file.path, "--url", "ws://127.0.0.1:\(silence.port)/", "--timeout", "0.5",
        ])
        #expect(ending.status == 3)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("did not answer in time"), "\(ending.errors)")
    }

    @Test(
        "For a wrong command line, the status is 2",
        arguments: [
            ["--url", "http://a"], ["--speed", "2"], ["--url", "ws://a", "--speed", "fast"],
            ["--url", "ws://a", "--speed", "0"], ["--context", "-1"], ["--context", "101"],
            ["--url", "ws://a", "--timeout", "0"], ["--url", "ws://a", "--ca", "x"],
            ["--token", "t"],
        ])
    func wrongUse(arguments: [String]) throws {
        let ending = try ProbeTests.run(["replay", "/nonexistent"] + arguments)
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty && !ending.errors.isEmpty)
    }

    /// Returns the line with a new checksum.
    private static func summed(_ line: String) -> String {
        let content = line[
            ..<(line.range(of: #","sum":""#, options: .backwards)?.lowerBound ?? line.endIndex)]
        var sum: UInt32 = 0x811c_9dc5
        for byte in content.utf8 { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(sum, radix: 16)
        return content + #","sum":""# + String(repeating: "0", count: 8 - digits.count) + digits
            + #""}"#
    }
}
