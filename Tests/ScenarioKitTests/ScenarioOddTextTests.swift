import Foundation
import RefreshProtocol
import ScenarioKit
import Testing

/// Scenario files from unusual editors and systems, and files that are made to harm the parser.
@Suite("Odd and hostile scenario files")
struct ScenarioOddTextTests {
    private static let head = "description: d\nexpectation: e\n# p\n"

    private static func parse(_ text: String) throws -> Scenario {
        try ScenarioParser.parse(text, name: "x")
    }

    @Test(
        "Line ends, a byte order mark, tabs and a missing last line end do not matter",
        arguments: [
            "description: d\r\nexpectation: e\r\n# p\r\nhello\r\nattach list {\r\n a: 1\r\n}\r\nsettle list\r\n",
            "\u{FEFF}description: d\nexpectation: e\n# p\nhello\nattach list {\n a: 1\n}\nsettle list\n",
            "\u{FEFF}description: d\r\nexpectation: e\r\n# p\r\nhello\r\nattach list {\r\n a: 1\r\n}\r\nsettle list",
            "description:\td\nexpectation:\te\n#\tp\n\thello\t\n\tattach\tlist\t{\n\ta:\t1\n}\nsettle\tlist\t// x",
            "\n\r\n// first\r\ndescription: d\r\n\r\nexpectation: e\r\n// c\r\n# p\r\nhello\r\n\r\nattach list {\r\n a: 1 }\r\nsettle list // x\r\n",
        ])
    func same(text: String) throws {
        let plain = try Self.parse(Self.head + "hello\nattach list {\n a: 1\n}\nsettle list\n")
        let read = try Self.parse(text)
        #expect(read.description == "d" && read.expectation == "e")
        #expect(read.phases.map(\.name) == ["p"])
        #expect(read.phases[0].steps.map(\.action) == plain.phases[0].steps.map(\.action))
        #expect(!read.phases[0].steps.contains { $0.text.unicodeScalars.contains("\r") })
    }

    @Test(
        "An error in an odd text is reported at its line and column, counted in scalars",
        arguments: [
            ("fly\r\n", "4:1: expected a step, found `fly`"),
            (
                "hello\r\n\r\n\twait 3\r\n",
                "6:7: expected a time such as `300ms` or `2s`, found `3`"
            ),
            ("send {a: \"é😀e\u{301}\" b}", "4:17: expected `,` or `}`, found `b`"),
            ("wait\u{A0}1s", "4:5: expected a time such as `300ms` or `2s`, found U+00A0"),
            ("hello\n\u{FEFF}hello", "5:1: expected a step, found U+FEFF"),
            ("\u{1B}[31m", "4:1: expected a step, found U+001B"),
            ("hello\u{202E}", "4:6: expected the end of the line, found U+202E"),
            ("hello\0", "4:6: expected the end of the line, found U+0000"),
            ("send {a: \"x\ty\"}", "4:12: expected `\"`, found U+0009"),
            ("send {a: \"x\r\n\"}", "4:12: expected `\"`, found the end of the line"),
            ("raw \"x", "4:7: expected `\"`, found the end of the file"),
            ("raw \"\\u12", "4:6: expected a JSON escape, found `\\`"),
            ("raw \"\\ud800\"", "4:6: expected a JSON escape, found `\\`"),
            ("attach \"list {a: 1}", "4:20: expected `\"`, found the end of the file"),
            ("send {a: {b: [1", "4:16: expected `,` or `]`, found the end of the file"),
            ("at once {\nhello", "5:6: expected a step or `}`, found the end of the file"),
            ("include \"x", "4:11: expected `\"`, found the end of the file"),
            ("include x\u{0}y", "4:9: expected the path of a file, found `x`"),
        ])
    func expectMessage(steps: String, message: String) {
        #expect {
            try Self.parse(Self.head + steps)
        } throws: { error in
            if "\(error)" != message { print("was: \(error)") }
            return "\(error)" == message
        }
    }

    @Test(
        "An invalid or too large number is an error at its position",
        arguments: [
            ("send {a: 1e999}", "4:10: expected a value, found `1e999`"),
            ("send {a: -1e999}", "4:10: expected a value, found `-1e999`"),
            ("send {a: -}", "4:10: expected a value, found `-`"),
            ("send {a: .5}", "4:10: expected a value, found `.5`"),
            ("send {a: +5}", "4:10: expected a value, found `+`"),
            ("send {a: 0x10}", "4:11: expected `,` or `}`, found `x10`"),
            ("drag list NaN -> 1 in 1s", "4:11: expected a position or `->`, found `NaN`"),
            ("drag list 0 -> Infinity in 1s", "4:16: expected a position, found `Infinity`"),
            (
                "drag list 0 -> 1 in 1e999s",
                "4:21: expected a time such as `300ms` or `2s`, found `1e999s`"
            ),
            ("drag list 0 -> 1 in 2h", "4:21: expected a time such as `300ms` or `2s`, found `2h`"),
            ("wait 3601s", "4:6: expected a time of at most 3600s, found `3601s`"),
            ("drag list 0 -> 1 in 1h", "4:21: expected a time such as `300ms` or `2s`, found `1h`"),
            (
                "drag list 0 -> 1 in 3600s at 1000",
                "4:11: expected at most 20000 samples, found `0`"
            ),
            (
                "wander list 1e9 gestures between 0 and 1 in 1s",
                "4:13: expected a number of gestures, 1 to 200, found `1e9`"
            ),
            (
                "reorder 99999999999999999999",
                "4:9: expected a number of samples or `off`, 2 to 1000, found `99999999999999999999`"
            ),
            ("random -1", "4:8: expected a seed, 0 to 9007199254740992, found `-1`"),
            ("random 1.5", "4:8: expected a seed, 0 to 9007199254740992, found `1.5`"),
            ("expect close 65536", "4:14: expected a close code, 0 to 65535, found `65536`"),
            ("expect x {a: length 1e300}", "4:21: expected a number of elements, found `1e300`"),
            ("expect x {a: length -1}", "4:21: expected a number of elements, found `-1`"),
            ("expect x {a: 1 ~ -1}", "4:18: expected a tolerance of 0 or more, found `-1`"),
            ("progress feed 1.5", "4:15: expected a part, 0 to 1, found `1.5`"),
            ("progress feed NaN", "4:15: expected a part, 0 to 1, found `NaN`"),
        ])
    func numbers(steps: String, message: String) { expectMessage(steps: steps, message: message) }

    @Test("A zero with a sign is a zero, and NaN is an ordinary word")
    func zero() throws {
        let steps = try Self.parse(Self.head + "send {a: -0, b: NaN}\nwait -0ms").phases[0].steps
        guard case .send(let message) = steps[0].action else {
            Issue.record("the step is not `send`")
            return
        }
        #expect(message["a"] == .value(.number(0)))
        #expect(message["b"] == .text("NaN"))
        #expect(steps[1].action == .wait(0))
    }

    @Test(
        "A repeated name is an error, wherever the first one is",
        arguments: [
            (
                "refresh list {view: other}",
                "4:15: expected a name that is not used yet, found `view`"
            ),
            (
                "refresh list {type: begin}",
                "4:15: expected a name that is not used yet, found `type`"
            ),
            (
                "finish list success {\n result: failure}",
                "5:2: expected a name that is not used yet, found `result`"
            ),
            (
                "expect update list {\"view\": other}",
                "4:21: expected a name that is not used yet, found `\"`"
            ),
            (
                "reconnect {type: bye}",
                "4:12: expected a name that is not used yet, found `type`"
            ),
            (
                "send {a: {b: 1, b: 2}}",
                "4:17: expected a name that is not used yet, found `b`"
            ),
        ])
    func names(steps: String, message: String) { expectMessage(steps: steps, message: message) }

    @Test("Very many fields are parsed quickly, and a late repetition is found")
    func manyFields() {
        let fields = (0..<60_000).map { "f\($0): 1" }.joined(separator: ",\n")
        #expect {
            try Self.parse(Self.head + "send {\(fields),\nf7: 1}")
        } throws: {
            "\($0)" == "60004:1: expected a name that is not used yet, found `f7`"
        }
    }

    @Test("A missing, unreadable, endless or binary file is reported with its problem")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func failure(_ steps: String) throws -> String {
            let file = folder.appending(path: "x.scenario")
            try Data((Self.head + steps + "\n").utf8).write(to: file)
            do throws(ScenarioFile.Failure) {
                _ = try ScenarioFile.read(file.path)
                return "nothing"
            } catch {
                return error.description.replacing(folder.path + "/", with: "")
            }
        }
        #expect(
            try failure("include none.steps")
                == "x.scenario:4:9: expected a file to include, but it does not exist, found `none.steps`"
        )
        #expect(
            try failure("include ..").hasPrefix(
                "x.scenario:4:9: expected a file to include, but it is a directory, found `"))
        #expect(
            try failure("include /dev/zero")
                == "x.scenario:4:9: expected a file to include, but it is larger than 1048576 bytes, found `/dev/zero`"
        )
        #expect {
            try ScenarioFile.read("/")
        } throws: {
            "\($0)" == "/: is a directory"
        }
        let bytes = Data("description: d\r\nexpectation: é ".utf8) + Data([0xC3, 0x28, 0x0A])
        let broken = folder.appending(path: "broken.scenario")
        try bytes.write(to: broken)
        #expect {
            try ScenarioFile.read(broken.path)
        } throws: {
            "\($0)" == "\(broken.path):2:16: expected UTF-8, found other bytes"
        }
    }

    @Test("A step that reads an unset variable fails, but an unread variable causes no failure")
    func variables() async throws {
        func play(_ steps: String) async throws -> ScenarioResult {
            let scenario = try Self.parse(Self.head + "hello\n" + steps)
            return await ScenarioRunner.run(scenario, over: SessionPeer(feeds: [], latencyMs: 0))
        }
        #expect(try await play("expect welcome {session: ?never}").failure == nil)
        let early = try #require(
            try await play("ping {t: $later}\nexpect welcome {session: ?later}").failure)
        #expect(early.step == 1 && early.reason.expected == "a value in $later")
        let compared = try #require(
            try await play("expect welcome {session: $later} within 10ms").failure)
        #expect(compared.step == 1)
    }
}
