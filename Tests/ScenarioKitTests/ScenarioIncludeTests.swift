import RefreshProtocol
import ScenarioBench
import Testing

@testable import LoadTesting
@testable import RefreshSession
@testable import ScenarioKit

@Suite("Files that scenarios refer to")
struct ScenarioIncludeTests {
    private static func parse(
        _ steps: String, _ files: [String: String]
    ) throws(ScenarioSyntaxError) -> Scenario {
        let sources = ScenarioSources { path throws(ScenarioSources.Unreadable) in
            guard let text = files[path] else { throw ScenarioSources.Unreadable("is not there") }
            return Array(text.utf8)
        }
        return try ScenarioParser.parse(
            "description: d\nexpectation: e\n# p\n\(steps)\n", name: "x",
            path: "all/x.scenario", sources: sources)
    }

    @Test("The steps of an included file replace the include, with the file's name and lines")
    func included() throws {
        let scenario = try Self.parse(
            "skip\ninclude steps/a.steps // first\nwait 1s",
            [
                "all/steps/a.steps": "// both\nbye\n\ninclude ../b.steps\n",
                "all/b.steps": "refresh list",
            ])
        let steps = scenario.phases[0].steps
        #expect(steps.map(\.text) == ["skip", "bye", "refresh list", "wait 1s"])
        #expect(
            steps.map(\.position.description)
                == ["4:1", "all/steps/a.steps:2:1", "all/b.steps:1:1", "6:1"])
    }

    @Test(
        "An error in an included file is reported in that file",
        arguments: [
            (
                "include a", [:],
                "4:9: expected a file to include, but it is not there, found `all/a`"
            ),
            (
                "include a", ["all/a": "bye\nfly"],
                "all/a:2:1: expected a step, found `fly`"
            ),
            (
                "include a", ["all/a": "# phase\nbye"],
                "all/a:1:1: expected a step, found `#`"
            ),
            ("include a", ["all/a": ""], "all/a:1:1: expected a step, found the end of the file"),
            (
                "include a", ["all/a": "include b", "all/b": "bye\ninclude ./../all/a"],
                "all/b:2:9: expected a file that does not include itself (all/a -> all/b -> all/a), found `all/a`"
            ),
            (
                "include x.scenario", ["all/x.scenario": ""],
                "4:9: expected a file that does not include itself (all/x.scenario -> all/x.scenario), found `all/x.scenario`"
            ),
            ("include", [:], "4:8: expected the path of a file, found the end of the line"),
            (
                "include a b", ["all/a": "bye"],
                "4:11: expected the end of the line, found `b`"
            ),
            (
                "drag list 0 -> 1 recorded a", ["all/a": "{}"],
                "4:27: expected a journal with a gesture, but it has a line that does not end with "
                    + "its checksum, found `all/a`"
            ),
            (
                "drag list 0 -> 1 recorded a", ["all/a": ""],
                "4:27: expected a journal with a gesture, but it has no gesture that moves a list, "
                    + "found `all/a`"
            ),
            (
                "drag list 0 -> 1 -> 2 recorded a", [:],
                "4:32: expected a single `->` before a recorded gesture, found `all/a`"
            ),
        ] as [(String, [String: String], String)])
    func mistakes(steps: String, files: [String: String], message: String) {
        #expect {
            try Self.parse(steps, files)
        } throws: {
            "\($0)" == message
        }
    }

    @Test("The depth of includes and their number are limited")
    func bounds() {
        let deep = Dictionary(
            uniqueKeysWithValues: (0..<20).map { ("all/\($0)", "include \($0 + 1)") })
        #expect {
            try Self.parse("include 0", deep)
        } throws: {
            "\($0)".hasPrefix(
                "all/7:1:9: expected at most 8 levels of nested includes (all/x.scenario -> ")
        }
        let many = String(repeating: "include a\n", count: 65)
        #expect {
            try Self.parse(many, ["all/a": "bye"])
        } throws: {
            "\($0)" == "68:9: expected at most 64 includes, found `all/a`"
        }
    }

    @Test(
        "A recorded touch is scaled to the given distance, and to a given time if there is one"
    )
    func recorded() throws {
        let messages = [
            #"{"type":"scroll","view":"list","seq":1,"t":10,"offset":0,"phase":"decelerating"}"#,
            #"{"type":"pan","view":"list","seq":2,"t":100,"translation":8,"phase":"began"}"#,
            #"[{"type":"pan","view":"list","seq":3,"t":120,"translation":48,"phase":"dragging"},{"type":"pan","view":"list","seq":4,"t":140,"translation":108,"phase":"dragging"}]"#,
            #"{"type":"pan","view":"list","seq":5,"t":180,"translation":58,"phase":"dragging"}"#,
            #"{"type":"pan","view":"list","seq":6,"t":181,"translation":58,"phase":"ended"}"#,
            #"{"type":"pan","view":"list","seq":7,"t":300,"translation":0,"phase":"began"}"#,
        ]
        let bytes = journal(
            messages.map { .input(at: Instant(milliseconds: 1), .frame(Array($0.utf8))) })
        let touch = try RecordedTouch(journal: bytes)
        #expect(touch.durationMs == 80)
        let path = Gesture.Path(
            from: 0, points: [-72], durationMs: 160, rate: 60, timing: .recorded(touch))
        #expect(
            try path.samples(startingAt: 9) == [
                .init(afterMs: 40, position: -28.8), .init(afterMs: 80, position: -72),
                .init(afterMs: 160, position: -36),
            ])
    }

    @Test(
        "A gesture of a journal can be selected, and a missing one is reported with the number of gestures"
    )
    func chosenGesture() throws {
        let trace = try #require(TouchTrace.all.first { $0.name == "impatient.stream" })
        let touches = try RecordedTouch.all(in: trace.bytes)
        #expect(touches.count == 3)
        let files = ["all/a": String(decoding: trace.bytes, as: UTF8.self)]
        for number in 1...3 {
            let chosen = number == 1 ? "" : " gesture \(number)"
            #expect(
                try Self.touch("pan list 0 -> 9 recorded a\(chosen)", files) == touches[number - 1])
        }
        #expect(Set(touches).count == 3)
        for (steps, found) in [("gesture 4", "4"), ("gesture 0 in 1s", "0")] {
            #expect {
                try Self.parse("pan list 0 -> 9 recorded a " + steps, files)
            } throws: {
                "\($0)"
                    == "4:36: expected the number of a gesture of this journal, 1 to 3, found `\(found)`"
            }
        }
    }

    /// Returns the recorded touch of the only step.
    private static func touch(_ step: String, _ files: [String: String]) throws -> RecordedTouch? {
        for step in try parse(step, files).phases.flatMap(\.steps) {
            if case .gesture(let gesture) = step.action, case .pan(let path) = gesture.motion,
                case .recorded(let touch) = path.timing
            {
                return touch
            }
        }
        return nil
    }
}
