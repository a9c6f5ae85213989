import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import Conformance
@testable import JournalReplay
@testable import LoadTesting
@testable import Plotting
@testable import ScenarioKit

/// Journals and servers with absurd times, counts and other numbers. No number may crash the tools
/// or make them run without end.
@Suite("Absurd numbers", .ownThread, .limit)
struct FarMomentTests {
    /// A number above the range of 64-bit integers, and a number below it.
    private static let absurd = ["1e300", "-9223372036854775809"]

    private static func trace(_ name: String) throws -> [String] {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        return String(decoding: trace.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the journal with `line` in place of the line at `index`. All lines get a correct
    /// checksum.
    private static func bytes(_ lines: [String], _ line: String, at index: Int) -> [UInt8] {
        var lines = lines
        lines[index] = summed(line)
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Returns the line with a new checksum. Source: docs/journal.md, "Lines".
    private static func summed(_ line: String) -> String {
        guard let end = line.range(of: #","sum":""#, options: .backwards) else { return line }
        let content = line[..<end.lowerBound]
        var sum: UInt32 = 0x811c_9dc5
        for byte in content.utf8 { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(sum, radix: 16)
        return content + #","sum":""# + String(repeating: "0", count: 8 - digits.count) + digits
            + #""}"#
    }

    private static func with(at text: String, _ line: String) -> String {
        line.replacing(/"at":-?[0-9]+/, with: "\"at\":\(text)")
    }

    @Test(
        "A journal whose start time is out of range is refused with a reason",
        arguments: ["1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "1e16"])
    func header(at: String) throws {
        let lines = try Self.trace("slow-pull.stream")
        let bytes = Self.bytes(lines, Self.with(at: at, lines[0]), at: 0)
        let expected = "is not a journal: line 1 has an invalid time in `at`: beyond 2^53 µs"
        let replay = #expect(throws: JournalUnusable.self) { try InProcessReplay.run(bytes) }
        #expect(replay?.description == expected)
        let picture = #expect(throws: JournalUnusable.self) { try SessionRecording(bytes) }
        #expect(picture?.description == expected)
    }

    @Test("A line whose time is out of range counts as damage, and the preceding lines are drawn")
    func line() throws {
        let lines = try Self.trace("slow-pull.stream")
        let index = try #require(lines.lastIndex { $0.contains(#""at":"#) })
        let bytes = Self.bytes(lines, Self.with(at: "1e300", lines[index]), at: index)
        let verdict = try InProcessReplay.run(bytes)
        guard case .damage(let line, let reason) = verdict.problem else {
            Issue.record("\(verdict.text)")
            return
        }
        #expect(line == index + 1 && reason.contains("invalid time in `at`"))
        #expect(try !SessionRecording(bytes).messages.isEmpty)
    }

    @Test(
        "Times in range are replayed and drawn, even if they are years apart or before the start",
        arguments: ["9007199254740992", "-9007199254740992", "-1"])
    func far(at: String) throws {
        let lines = try Self.trace("slow-pull.stream")
        let index = try #require(lines.lastIndex { $0.contains(#""at":"#) })
        for index in [0, index] {
            let bytes = Self.bytes(lines, Self.with(at: at, lines[index]), at: index)
            let verdict = try InProcessReplay.run(bytes)
            #expect(!verdict.text.isEmpty && !verdict.json.text.isEmpty)
            let svg = SessionPicture(of: try SessionRecording(bytes)).svg
            #expect(svg.hasSuffix("</svg>\n"), "\(svg.suffix(20))")
            #expect(!svg.contains("nan") && !svg.contains("inf"))
            #expect(svg.utf8.count < 1_000_000)
        }
    }

    @Test("A journal with an absurd number is either replayed and drawn, or refused")
    func everyNumber() throws {
        let lines = try Self.trace("short-pull.stream")
        var seen: Set<String> = []
        var tried = 0
        for (index, line) in lines.enumerated() {
            for match in line.matches(of: /([a-zA-Z]+\\?":\[?)(-?[0-9][0-9.]*)/) {
                // Only the first number of each kind is tested, such as `at` of an input or
                // `duration` of an update.
                let kind = line.prefix { $0 != ":" } + match.output.1
                guard seen.insert(String(kind)).inserted else { continue }
                for number in Self.absurd {
                    var changed = line
                    changed.replaceSubrange(
                        match.output.2.startIndex..<match.output.2.endIndex, with: number)
                    // To save time, only a few lines after the changed line are kept.
                    Self.attempt(Self.bytes(Array(lines.prefix(index + 12)), changed, at: index))
                    tried += 1
                }
            }
        }
        #expect(tried > 80, "\(tried)")
    }

    /// Runs the commands that need no server on the file.
    private static func attempt(_ bytes: [UInt8]) {
        if let verdict = try? InProcessReplay.run(bytes) {
            #expect(!verdict.text.isEmpty && !verdict.json.text.isEmpty)
        }
        if let recording = try? SessionRecording(bytes) {
            let svg = SessionPicture(of: recording).svg
            #expect(!svg.contains("nan") && !svg.contains("inf"))
        }
        _ = try? LoadGesture(TouchTrace(name: "absurd.stream", bytes: bytes))
    }

    @Test("A number from a server is clamped if it is out of range")
    func peers() throws {
        #expect(JSONValue.number(1e300).wholeNumber == .max)
        #expect(JSONValue.number(-1e300).wholeNumber == .min)
        #expect(JSONValue.number(7.9).wholeNumber == 7)
        #expect(JSONValue.number(.nan).wholeNumber == nil)
        #expect(JSONValue.string("7").wholeNumber == nil)
        var session = PlayedSession()
        for text in [
            #"{"type":"welcome","ack":1e300,"limits":{"frameBytesMax":1e300}}"#,
            #"{"type":"attached","view":"v","generation":-1e300}"#,
        ] { session.update(from: try JSONValue(parsing: text)) }
        #expect(session.ack == .max && session.frameBytesMax == .max)
        var watch = ConnectionRules()
        let messages = [1e300, -1e300].map { seq in
            JSONValue.object([
                .init("type", .string("scroll")), .init("view", .string("v")),
                .init("seq", .number(seq)), .init("generation", .number(seq)),
            ])
        }
        let findings = watch.violations(in: messages, bytes: 1, on: 0, of: session)
        #expect(findings.contains { $0.contains("the `generation` 1e") }, "\(findings)")
        #expect(findings.contains { $0.hasPrefix("the `seq` -9223372036854775808 after") })
    }

    @Test("A watched event may contain any number")
    func watched() throws {
        let event = #"{"event":"lost","count":1e300,"time":"1e300","session":"s"}"#
        let lines = try #require(WatchedLine.lines(ofFrame: event))
        #expect(lines.map { $0.text() }.joined().contains("1e+300 events"))
    }
}
