import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing

@Suite("Scenario files")
struct ScenarioParserTests {
    @Test("A file has a description, an expectation, and phases of steps with their positions")
    func wholeFile() throws {
        let text = """
            description: A pull,
              told on two lines.
            expectation: Fires.

            # attach the list
            hello   // greets
            attach list {
              profile: uikit,
              "top": {length: 80,},
            }

            # pull
            wait 1.5s
            """
        let scenario = try ScenarioParser.parse(text, name: "refresh-x")
        #expect(scenario.name == "refresh-x")
        #expect(scenario.description == "A pull, told on two lines.")
        #expect(scenario.expectation == "Fires.")
        #expect(scenario.phases.map(\.name) == ["attach the list", "pull"])
        #expect(scenario.phases[0].steps.map(\.position.line) == [6, 7])
        #expect(scenario.phases[1].steps.map(\.action) == [.wait(1500)])
        #expect(
            scenario.phases[0].steps[1].action
                == .send(
                    .object([
                        Pattern.Field("type", .text("attach")),
                        Pattern.Field("view", .text("list")),
                        Pattern.Field("profile", .text("uikit")),
                        Pattern.Field(
                            "top", .object([Pattern.Field("length", .value(.number(80)))])),
                    ])))
    }

    @Test(
        "Every form of a step is parsed",
        arguments: [
            ("changed songs", .feedEvent(.changed(), feed: "songs")),
            ("changed songs by 3", .feedEvent(.changed(count: 3), feed: "songs")),
            (
                "changed songs by 3 over 2s",
                .feedEvent(.changed(count: 3, spreadMs: 2000), feed: "songs")
            ),
            ("changed songs over 2s", .feedEvent(.changed(spreadMs: 2000), feed: "songs")),
            ("progress songs 0.25", .feedEvent(.progress(0.25), feed: "songs")),
            ("retrying songs in 1.5s", .feedEvent(.retrying(afterMs: 1500), feed: "songs")),
            ("wait 300ms", Step.Action.wait(300)),
            ("skip", .skip),
            ("raw \"{\\\"type\\\"\"", .sendRaw("{\"type\"")),
            ("bye", .send(.object([Pattern.Field("type", .text("bye"))]))),
            ("send [{a: 1}]", .sendBatch([.object([Pattern.Field("a", .value(.number(1)))])])),
            (
                "drag list 0 -> -100 in 300ms at 30",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .drag(.init(from: 0, points: [-100], durationMs: 300, rate: 30))))
            ),
            (
                "drag list -> -1.5 -> 7 in 1s",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .drag(
                            .init(from: nil, points: [-1.5, 7], durationMs: 1000, rate: 60))))
            ),
            (
                "glide list 10 -> 0 in 1s by wheel",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .glide(
                            .init(from: 10, points: [0], durationMs: 1000, rate: 60),
                            cause: "wheel")))
            ),
            (
                "release list velocity -1200",
                .gesture(Gesture(view: "list", motion: .release(velocity: -1200)))
            ),
            (
                "release \"my list\"",
                .gesture(Gesture(view: "my list", motion: .release(velocity: nil)))
            ),
            ("interrupt list", .gesture(Gesture(view: "list", motion: .interrupt))),
            ("settle list -60", .gesture(Gesture(view: "list", motion: .settle(-60)))),
            ("settle list", .gesture(Gesture(view: "list", motion: .settle(nil)))),
            ("hold list for 8s", .gesture(Gesture(view: "list", motion: .hold(8000)))),
            ("expect nothing", .expect(.nothing(forMs: 200))),
            ("expect nothing for 1s", .expect(.nothing(forMs: 1000))),
            ("expect close", .expect(.close(code: nil, withinMs: 5000))),
            ("expect close 4001 within 1s", .expect(.close(code: 4001, withinMs: 1000))),
            (
                "expect no load for 1s",
                .expect(.none(.object([Pattern.Field("type", .text("load"))]), forMs: 1000))
            ),
            (
                "expect next {a: *}",
                .expect(.next(.object([Pattern.Field("a", .anything)]), withinMs: 5000))
            ),
            (
                "expect pong\n  and bye within 1s",
                .expect(
                    .messages(
                        [
                            .object([Pattern.Field("type", .text("pong"))]),
                            .object([Pattern.Field("type", .text("bye"))]),
                        ], withinMs: 1000))
            ),
            (
                "expect state list.top eligible",
                .expect(
                    .state(
                        view: "list",
                        .object([
                            Pattern.Field(
                                "top", .object([Pattern.Field("state", .text("eligible"))]))
                        ]), withinMs: 5000))
            ),
        ])
    func stepForms(text: String, action: Step.Action) throws {
        #expect(try scenario(text).phases[0].steps.map(\.action) == [action])
    }

    @Test(
        "Every form of a pattern is parsed",
        arguments: [
            ("5", Pattern.value(.number(5))), ("-1.5e2", .value(.number(-150))),
            ("word-like", .text("word-like")), ("\"a \\u00e9 \\ud83d\\ude00\"", .text("a é 😀")),
            ("true", .value(.bool(true))), ("null", .value(.null)), ("*", .anything),
            ("absent", .absent), ("~0.5", .near(0.5, tolerance: 0.001)),
            ("0.5 ~ 0.1", .near(0.5, tolerance: 0.1)), (">=3", .compared(.greaterOrEqual, 3)),
            ("< -2", .compared(.less, -2)), ("like \"a*\"", .like("a*")),
            ("length 3", .length(3)), ("$load", .variable("load")), ("?first", .capture("first")),
            ("[1, ...]", .array([.value(.number(1))], isOpen: true)),
            ("[...]", .array([], isOpen: true)), ("[]", .array([], isOpen: false)),
            (
                "absent | 0 | {b: x}",
                .either([.absent, .value(.number(0)), .object([.init("b", .text("x"))])])
            ),
        ])
    func patternForms(text: String, pattern: Pattern) throws {
        let steps = try scenario("expect next {a: \(text)}").phases[0].steps
        #expect(
            steps.map(\.action)
                == [.expect(.next(.object([Pattern.Field("a", pattern)]), withinMs: 5000))])
    }

    @Test(
        "An error is reported with its line, its column and the expected text",
        arguments: [
            ("", "1:1: expected `description:`, found the end of the file"),
            ("description:\n", "2:1: expected a sentence, found the end of the file"),
            ("description: a\n# x", "2:1: expected `expectation:`, found `#`"),
            (
                "description: a\nexpectation: b\nwait 1s",
                "3:1: expected `# name of a phase`, found `wait`"
            ),
            (
                "description: a\nexpectation: b\n#\nskip",
                "3:2: expected the name of the phase, found the end of the line"
            ),
            (
                "description: a\nexpectation: b\n# x\n",
                "4:1: expected a step, found the end of the file"
            ),
        ])
    func fileErrors(text: String, message: String) {
        #expect {
            try ScenarioParser.parse(text, name: "x")
        } throws: { "\($0)" == message }
    }

    @Test(
        "An error in a step is reported at its position",
        arguments: [
            ("fly list", "5:1: expected a step, found `fly`"),
            ("atach list", "5:1: expected a step, found `atach`; did you mean `attach`?"),
            ("Expect welcome", "5:1: expected a step, found `Expect`; did you mean `expect`?"),
            ("relase list", "5:1: expected a step, found `relase`; did you mean `release`?"),
            ("  wait 3", "5:8: expected a time such as `300ms` or `2s`, found `3`"),
            ("wait -1s", "5:6: expected a time such as `300ms` or `2s`, found `-1s`"),
            ("wait 1s now", "5:9: expected the end of the line, found `now`"),
            ("drag list 0 in 1s", "5:13: expected `->`, found `in`"),
            ("drag list 0 -> in 1s", "5:16: expected a position, found `in`"),
            ("drag list 0 -> 1", "5:17: expected `in`, found the end of the file"),
            (
                "drag list 0 -> 1 in 1s at 0",
                "5:27: expected samples per second, 1 to 1000, found `0`"
            ),
            ("drag 0 -> 1 in 1s", "5:6: expected the name of a view, found `0`"),
            ("hold list 1s", "5:11: expected `for`, found `1s`"),
            ("finish list", "5:12: expected a result such as `success`, found the end of the line"),
            ("send 5", "5:6: expected `{`, found `5`"),
            ("send {a: *}", "5:10: expected a value, found `*`"),
            ("send {a: ?x}", "5:10: expected a value, found `?`"),
            ("send {a: length 3}", "5:10: expected a value, found `length`"),
            (
                "send {a: 1, a: 2}",
                "5:13: expected a name that is not used yet, found `a`"
            ),
            ("send {a 1}", "5:9: expected `:`, found `1`"),
            ("send {a: 1\n b: 2}", "6:2: expected `,` or `}`, found `b`"),
            ("send {a: [1 2]}", "5:13: expected `,` or `]`, found `2`"),
            ("send {a: 01}", "5:10: expected a value, found `01`"),
            ("send {a: \"x}", "5:13: expected `\"`, found the end of the line"),
            ("send {a: \"\\x\"}", "5:11: expected a JSON escape, found `\\`"),
            ("expect", "5:7: expected a message, found the end of the line"),
            ("expect update list {a: ~x}", "5:25: expected a number, found `x`"),
            ("expect update and", "5:18: expected a message, found the end of the line"),
            ("expect close now", "5:14: expected the end of the line, found `now`"),
        ])
    func stepErrors(steps: String, message: String) {
        let found = message.replacing("the end of the file", with: "the end of the line")
        #expect {
            try scenario(steps)
        } throws: { "\($0)" == found }
    }

    @Test("Too deep nesting is refused")
    func depth() {
        let text = "send {a: " + String(repeating: "[", count: 5000)
        #expect {
            try scenario(text)
        } throws: { "\($0)".contains("less nesting") }
    }
}
