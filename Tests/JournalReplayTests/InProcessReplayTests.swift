import Foundation
import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing
import Workbench

@testable import JournalReplay
@testable import ScenarioKit

@Suite("Replay", .ownThread)
struct InProcessReplayTests {
    /// Returns the journal of a pull that loads a page, recorded in process.
    private static func recorded() async throws -> MemoryJournal {
        let journal = MemoryJournal()
        let steps = """
            hello
            attach list {profile: iqpulltorefresh, feed: packages}
            expect attached list
            drag list 0 -> -70 in 100ms
            release list
            expect items list
            bye
            expect close 1000
            """
        let peer = SessionPeer(
            feeds: [try SimulatedFeed.demo()], latencyMs: 20, journal: journal)
        #expect(await ScenarioRunner.run(try scenario(steps), over: peer).failure == nil)
        return journal
    }

    @Test("The journal of each scenario file replays", arguments: ScenarioFiles.names)
    func scenarios(name: String) async throws {
        var journals: [MemoryJournal] = []
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
        let daemon = InProcessDaemon(
            feeds: [try SimulatedFeed.demo()] + scenario.additionalFeeds, latencyMs: 20
        ) { _ in
            journals.append(MemoryJournal())
            return journals.last
        }
        _ = await ScenarioRunner.run(scenario) { daemon.connect() }
        try await daemon.advancePastResumeWindow()
        #expect(!journals.isEmpty)
        for journal in journals {
            let verdict = try InProcessReplay.run(journal.bytes)
            #expect(verdict.isIdentical, "\(verdict.text)")
            #expect(verdict.isClosed)
            #expect(verdict.inputs > 0)
        }
    }

    @Test("The verdict counts the inputs and the outputs")
    func identical() async throws {
        let journal = try await Self.recorded()
        let lines = try journal.parsed()
        let inputs = lines.count { if case .input = $0 { true } else { false } }
        let outputs = lines.count { if case .output = $0 { true } else { false } }
        #expect(
            try InProcessReplay.run(journal.bytes).text
                == "\(inputs) inputs, \(outputs) outputs, identical")
        #expect(inputs > 8 && outputs > 4)
    }

    @Test("An output that differs in one byte is shown as the first difference, with both texts")
    func changedOutput() async throws {
        var lines = try await Self.recorded().parsed()
        let index = try #require(
            lines.lastIndex { if case .output(.frame) = $0 { true } else { false } })
        guard case .output(.frame(var frame)) = lines[index] else { return }
        let old = String(decoding: frame, as: UTF8.self)
        frame[9] ^= 1
        lines[index] = .output(.frame(frame))
        let verdict = try InProcessReplay.run(journal(lines))
        guard case .difference(let difference) = verdict.problem else {
            Issue.record("\(verdict.text)")
            return
        }
        #expect(difference.line == index + 1)
        #expect(difference.inputLine == index)
        #expect(old == #"{"type":"bye"}"#)
        #expect(difference.recorded == #"{"out":"frame","text":"{\"type\":\"cye\"}"}"#)
        #expect(difference.replayed == #"{"out":"frame","text":"{\"type\":\"bye\"}"}"#)
        #expect(
            difference.field
                == JSONDifference(path: "$.type", expected: .string("cye"), got: .string("bye")))
        #expect(difference.cause?.line == index)
        let text = verdict.text
        #expect(text.hasPrefix("line \(index + 1), "))
        #expect(
            text.contains(
                """
                 s, after the input of line \(index): not as recorded
                  cause     line \(index), \(Self.seconds(difference.at)): {"type":"bye"}
                  field     $.type
                  recorded  "cye"
                  replayed  "bye"
                  the first 35 bytes of the lines agree
                """), "\(text)")
        #expect(
            text.hasSuffix(
                "before it: \(verdict.inputs) inputs, \(verdict.outputs) outputs, identical"))
    }

    private static func seconds(_ seconds: Double) -> String {
        String(format: "%.3f s", seconds)
    }

    @Test("The requested number of frames around a difference is shown, recorded and replayed")
    func context() async throws {
        var lines = try await Self.recorded().parsed()
        let index = try #require(
            lines.firstIndex { line in
                guard case .output(.frame(let frame)) = line else { return false }
                return String(decoding: frame, as: UTF8.self).contains(#""eligible""#)
            })
        guard case .output(.frame(let frame)) = lines[index] else { return }
        let other = String(decoding: frame, as: UTF8.self).replacing("eligible", with: "pulling")
        lines[index] = .output(.frame(Array(other.utf8)))
        for count in [0, 1, 3, 100] {
            let verdict = try InProcessReplay.run(journal(lines), context: count)
            guard case .difference(let difference) = verdict.problem else {
                Issue.record("\(verdict.text)")
                return
            }
            #expect(difference.field.path.hasSuffix(".top.state"))
            let (recorded, replayed) = (difference.context.recorded, difference.context.replayed)
            let before = recorded.prefix { !$0.differs }
            #expect(before.map(\.text) == replayed.prefix { !$0.differs }.map(\.text))
            #expect(before.count <= count && recorded.count <= 2 * count + 1)
            #expect(recorded.count { $0.differs } == 1 && replayed.count { $0.differs } == 1)
            #expect(recorded.first { $0.differs }?.line == index + 1)
            #expect(recorded.first { $0.differs }?.text == other)
            #expect(replayed.first { $0.differs }?.text == String(decoding: frame, as: UTF8.self))
            if count == 3 {
                #expect(before.count == 3 && recorded.count == 7 && replayed.count == 7)
                // After the difference, the recorded frames are equal to the replayed ones, because
                // only one recorded line was changed.
                #expect(recorded.suffix(3).map(\.text) == replayed.suffix(3).map(\.text))
                #expect(verdict.json["context"]?["recorded"]?.array?.count == 7)
            }
            if count == 100 {
                let frames = lines.count { line in
                    switch line {
                    case .input(_, .frame), .output(.frame): true
                    default: false
                    }
                }
                #expect(recorded.count == frames && replayed.count == frames)
            }
        }
    }

    @Test("If an input and its checksum are changed, the next output differs")
    func changedInput() async throws {
        var lines = try await Self.recorded().parsed()
        let index = try #require(
            lines.firstIndex { line in
                guard case .input(_, .frame(let frame)) = line else { return false }
                return String(decoding: frame, as: UTF8.self).contains(#""offset":-"#)
            })
        guard case .input(let at, .frame(let frame)) = lines[index] else { return }
        let text = String(decoding: frame, as: UTF8.self)
            .replacing(#""offset":-"#, with: #""offset":-1"#)
        lines[index] = .input(at: at, .frame(Array(text.utf8)))
        let verdict = try InProcessReplay.run(journal(lines))
        guard case .difference(let difference) = verdict.problem else {
            Issue.record("\(verdict.text)")
            return
        }
        #expect(difference.inputLine == index + 1)
        #expect(difference.line == index + 2)
    }

    @Test("If an input changes and its checksum does not, the damage is found at the input's line")
    func changedInputSum() async throws {
        let journal = try await Self.recorded()
        let text = String(decoding: journal.bytes, as: UTF8.self)
        let changed = text.replacing(#"\"phase\":\"ended\""#, with: #"\"phase\":\"ENDED\""#)
        let line = text.split(separator: "\n").firstIndex { $0.contains(#"\"ended\""#) }
        let verdict = try InProcessReplay.run(Array(changed.utf8))
        guard case .damage(let number, let reason) = verdict.problem else {
            Issue.record("\(verdict.text)")
            return
        }
        #expect(number == line.map { $0 + 1 })
        #expect(reason.hasPrefix("was changed: its checksum is "))
        #expect(verdict.text.hasPrefix("line \(number) was changed: "))
    }

    @Test("If any one line is removed, the replay detects this")
    func connectionTaken() async throws {
        let lines = try await Self.recorded().parsed()
        for index in lines.indices.dropFirst().dropLast() {
            var fewer = lines
            fewer.remove(at: index)
            let verdict = try InProcessReplay.run(journal(fewer))
            #expect(!verdict.isIdentical, "the journal without line \(index + 1)")
        }
    }

    @Test("A missing output and an unrecorded output are differences")
    func surplus() async throws {
        let lines = try await Self.recorded().parsed()
        let end = lines.count - 1
        let more = lines[..<end] + [.output(.wait)]
        guard case .difference(let never) = try InProcessReplay.run(journal(more)).problem else {
            Issue.record("the replay found no difference")
            return
        }
        #expect(never.line == end + 1)
        #expect(never.recorded == #"{"out":"wait"}"#)
        #expect(never.replayed == nil)
        #expect(never.text(width: 100) { text, _ in text }.contains("\n  replayed  nothing"))
        let index = try #require(lines.firstIndex { if case .output = $0 { true } else { false } })
        var fewer = lines
        fewer.remove(at: index)
        guard case .difference(let unrecorded) = try InProcessReplay.run(journal(fewer)).problem
        else {
            Issue.record("the replay found no difference")
            return
        }
        #expect(unrecorded.line == index + 1)
        #expect(unrecorded.replayed == lines[index].text)
    }

    @Test("An incomplete last line is omitted and reported")
    func torn() async throws {
        let journal = try await Self.recorded()
        let verdict = try InProcessReplay.run(journal.bytes.dropLast(20))
        #expect(verdict.isIdentical)
        #expect(verdict.tornLine == journal.lines.count)
        let reported = verdict.text.split(separator: "\n").dropFirst()
        #expect(
            reported == [
                "the last line (\(journal.lines.count)) is incomplete and was ignored",
                "there is no closing line: the session had not ended, or the journal was cut off",
            ])
    }

    @Test("A line after the closing line, or a second header, is damage")
    func misplaced() async throws {
        let lines = try await Self.recorded().parsed()
        let behind = try InProcessReplay.run(journal(lines + [.output(.wait)]))
        #expect(
            behind.problem
                == .damage(line: lines.count + 1, reason: "follows the closing line"))
        let twice = try InProcessReplay.run(journal(lines[..<1] + lines))
        #expect(twice.problem == .damage(line: 2, reason: "is a second header"))
    }

    @Test("A journal of another daemon version is replayed, and the verdict names the version")
    func version() async throws {
        let lines = try await Self.recorded().parsed().map { line -> JournalLine in
            switch line {
            case .header(var header):
                header.server = "0.0.9"
                return .header(header)
            case .output(.frame(let bytes)):
                let text = String(decoding: bytes, as: UTF8.self).replacing(
                    "\"server\":\"refreshd/\(DaemonVersion.current)\"",
                    with: "\"server\":\"refreshd/0.0.9\"")
                return .output(.frame(Array(text.utf8)))
            default: return line
            }
        }
        let verdict = try InProcessReplay.run(journal(lines))
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(
            verdict.text.hasSuffix(
                "\nrecorded by 0.0.9, replayed by \(DaemonVersion.current)"))
    }

    @Test(
        "A file that is not a journal is not replayed",
        arguments: [
            ("", "is not a journal: it has no complete line"),
            ("{\"journal\":1}", "is not a journal: it has no complete line"),
            ("hello\n", "is not a journal: line 1 is not a journal line: The frame is not"),
        ])
    func unusable(text: String, reason: String) throws {
        let error = #expect(throws: JournalUnusable.self) {
            try InProcessReplay.run(Array(text.utf8))
        }
        #expect(error?.description.hasPrefix(reason) == true)
        let headless = journal([.end(inputs: 0, outputs: 0)])
        #expect(throws: JournalUnusable.self) { try InProcessReplay.run(headless) }
    }

    @Test("Of a long value, the part around the difference is shown")
    func longLine() {
        let same = String(repeating: "a", count: 5000)
        let difference = ReplayDifference(
            line: 3, inputLine: 2, recorded: #"{"out":"\#(same)b\#(same)"}"#,
            replayed: #"{"out":"\#(same)c\#(same)"}"#)
        let lines = difference.text(width: 100) { text, _ in text }.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count < 500 })
        #expect(lines[1] == "  field     $.out")
        #expect(lines[2].contains("aab") && lines[3].contains("aac"))
        #expect(lines[4] == "  the first 5008 bytes of the lines agree")
    }

    @Test("The text has colours only on request")
    func colours() {
        let difference = ReplayDifference(
            line: 3, inputLine: 2, recorded: #"{"a":1}"#, replayed: #"{"a":2}"#)
        let painted = difference.text(width: 100) { "<\($1)>\($0)" }
        #expect(painted.contains("<good>1") && painted.contains("<bad>2"))
        #expect(painted.contains("<strong>$.a"))
        var verdict = ReplayVerdict(recordedBy: DaemonVersion.current)
        verdict.problem = .difference(difference)
        #expect(!verdict.text.contains("\u{1B}"))
    }

    @Test("The worked example of journal.md replays as described there")
    func example() throws {
        let file = ScenarioFiles.directory.deletingLastPathComponent()
            .appending(path: "docs/journal.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.firstRange(of: "```\n{\"journal\":"))
        let text = page[start.lowerBound...].dropFirst(4)
        let end = try #require(text.firstRange(of: "```"))
        let example = Array(text[..<end.lowerBound].utf8)
        let verdict = try InProcessReplay.run(example)
        #expect(verdict.isIdentical && verdict.isClosed, "\(verdict.text)")
        let firstLine = verdict.text.split(separator: "\n").first.map(String.init)
        #expect(page.contains("`\(firstLine ?? "nothing")`"))
    }

    @Test("The difference shown in journal.md is the one that the replay finds")
    func shownDifference() throws {
        let file = ScenarioFiles.directory.deletingLastPathComponent()
            .appending(path: "docs/journal.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.firstRange(of: "```\n{\"journal\":"))
        let text = page[start.lowerBound...].dropFirst(4)
        let end = try #require(text.firstRange(of: "```"))
        let lines = try text[..<end.lowerBound].split(separator: "\n").map { line in
            let parsed = try JournalLine(parsing: Array(line.utf8))
            guard case .output(.frame(let frame)) = parsed,
                String(decoding: frame, as: UTF8.self) == #"{"type":"bye"}"#
            else { return parsed }
            return .output(.frame(Array(#"{"type":"cye"}"#.utf8)))
        }
        let verdict = try InProcessReplay.run(journal(lines))
        let reported = verdict.text(width: 86) { text, _ in text }
        #expect(page.contains("```\n\(reported)\n```"), "\(reported)")
    }
}
