import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing

/// A scenario with the clients Anna and Ben. Its only phase contains `steps` from line 5 on.
private func scenarioOfTwo(_ steps: String) throws(ScenarioSyntaxError) -> Scenario {
    try ScenarioParser.parse(
        "description: d\nexpectation: e\nclients: anna, ben\n# phase\n\(steps)\n", name: "test")
}

@Suite("Scenario files with several clients and a network")
struct ScenarioFormsTests {
    @Test("Each header after the description may appear once, in any order")
    func heads() throws {
        let scenario = try ScenarioParser.parse(
            """
            description: d
            expectation: e
            step limit: 2s   // each
            clients: anna, ben
            limit: 1.5s

            # p
            skip
            """, name: "x")
        #expect(scenario.clients == ["anna", "ben"])
        #expect(scenario.limitMs == 1500)
        #expect(scenario.stepLimitMs == 2000)
        let bare = try ScenarioBench.scenario("skip")
        #expect(bare.clients.isEmpty && bare.stepLimitMs == nil && bare.limitMs == 600_000)
    }

    @Test("A step may name its client and its time limit")
    func stepsOfClients() throws {
        let steps = try scenarioOfTwo(
            "anna: bye limit 2s\nrefresh list limit 300ms\nben: settle list limit 1s"
        ).phases[0].steps
        #expect(steps.map(\.client) == ["anna", nil, "ben"])
        #expect(steps.map(\.limitMs) == [2000, 300, 1000])
        #expect(steps[0].text == "anna: bye limit 2s")
        #expect(steps[2].action == .gesture(Gesture(view: "list", motion: .settle(nil))))
    }

    @Test(
        "Every form of a step for clients and the network is parsed",
        arguments: [
            ("let a = 5", Step.Action.assign("a", .value(.number(5)))),
            ("let a = $b", .assign("a", .variable("b"))),
            (
                "let a = $b + 5 - $c",
                .assign(
                    "a",
                    .sum(
                        Amount([
                            .init(.variable("b")), .init(.number(5)),
                            .init(.variable("c"), isNegative: true),
                        ])))
            ),
            ("latency 150ms", .network(.latency(ms: 150, spreadMs: 0))),
            ("latency 150ms ± 50ms", .network(.latency(ms: 150, spreadMs: 50))),
            ("latency 1s +- 200ms", .network(.latency(ms: 1000, spreadMs: 200))),
            ("reorder 4", .network(.reorder(every: 4))),
            ("reorder off", .network(.reorder(every: nil))),
            ("drop", .network(.drop)), ("reconnect", .network(.reconnect([]))),
            (
                "reconnect {client: x}",
                .network(.reconnect([Pattern.Field("client", .text("x"))]))
            ),
            (
                "late 20ms bye",
                .late(20, .send(.object([Pattern.Field("type", .text("bye"))])))
            ),
            ("late 20ms raw \"x\"", .late(20, .sendRaw("x"))),
            ("random 42", .random(seed: 42)),
            (
                "wander list 3 gestures between -140 and $top in 2s at 30",
                .wander(
                    RandomGestures(
                        view: "list", count: 3, low: -140,
                        high: Amount([.init(.variable("top"))]), durationMs: 2000, rate: 30))
            ),
            ("expect fenced within 1s", .expect(.fenced(withinMs: 1000))),
            (
                "drag list 0 -> $x - 5 -> 7 in 1s eased",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .drag(
                            .init(
                                from: 0,
                                points: [
                                    Amount([
                                        .init(.variable("x")), .init(.number(5), isNegative: true),
                                    ]), 7,
                                ], durationMs: 1000, rate: 60, timing: .eased(.easeOut)))))
            ),
            (
                "glide list 10 -> 0 in 1s eased easeIn at 30 by wheel",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .glide(
                            .init(
                                from: 10, points: [0], durationMs: 1000, rate: 30,
                                timing: .eased(.easeIn)), cause: "wheel")))
            ),
            (
                "pan list 0 -> 1 in 1s linear",
                .gesture(
                    Gesture(
                        view: "list",
                        motion: .pan(.init(from: 0, points: [1], durationMs: 1000, rate: 60))))
            ),
        ])
    func forms(text: String, action: Step.Action) throws {
        #expect(try scenario(text).phases[0].steps.map(\.action) == [action])
    }

    @Test(
        "Numbers in patterns may contain variables",
        arguments: [
            ("$a + 1", Pattern.sum(Amount([.init(.variable("a")), .init(.number(1))]))),
            ("~$a", .near(Amount([.init(.variable("a"))]), tolerance: 0.001)),
            ("$a ~ 2", .near(Amount([.init(.variable("a"))]), tolerance: 2)),
            (
                "<$a - 1",
                .compared(
                    .less,
                    Amount([.init(.variable("a")), .init(.number(1), isNegative: true)]))
            ),
            ("$a-1", .variable("a-1")),
            (
                "absent | <$a",
                .either([.absent, .compared(.less, Amount([.init(.variable("a"))]))])
            ),
            (
                "5 - 3 ~ 1",
                .near(
                    Amount([.init(.number(5)), .init(.number(3), isNegative: true)]), tolerance: 1)
            ),
        ])
    func patterns(text: String, pattern: Pattern) throws {
        #expect(try ScenarioKitTests.pattern(text) == pattern)
        #expect(try ScenarioKitTests.pattern(pattern.description) == pattern)
    }

    @Test("A block contains its steps, each with its client and its position")
    func block() throws {
        let steps = try scenarioOfTwo(
            "at once {\n  anna: bye\n\n  ben: wait 1s // then\n} limit 2s"
        )
        .phases[0].steps
        #expect(steps.count == 1 && steps[0].limitMs == 2000)
        guard case .atOnce(let inner) = steps[0].action else {
            Issue.record("the step is not `at once`")
            return
        }
        #expect(inner.map(\.client) == ["anna", "ben"])
        #expect(inner.map(\.position.line) == [6, 8])
    }

    @Test(
        "An error in a step for clients and the network is reported at its position",
        arguments: [
            ("carl: bye", "5:1: expected a client that is declared (anna, ben), found `carl`"),
            ("anna: at once {\nbye\n}", "5:7: expected a step of one client, found `at`"),
            ("anna: include x", "5:7: expected a step of one client, found `include`"),
            ("anna:", "5:6: expected a step, found the end of the line"),
            ("at twice {", "5:4: expected `once`, found `twice`"),
            ("at once bye", "5:9: expected `{`, found `bye`"),
            (
                "at once {\n}",
                "6:2: expected a block that contains a step, found the end of the line"
            ),
            ("at once {\nbye\n# x", "7:1: expected a step or `}`, found `#`"),
            ("at once {\nat once {", "6:1: expected a step that is not a block, found `at`"),
            ("at once {\nbye }", "6:5: expected the end of the line, found `}`"),
            ("let 5 = 1", "5:5: expected the name of a variable, found `5`"),
            ("let a 1", "5:7: expected `=`, found `1`"),
            ("let a = *", "5:9: expected a value, found `*`"),
            ("let a = $b + x", "5:14: expected a number or a variable, found `x`"),
            (
                "latency 1s ± 2s",
                "5:14: expected a spread that is not larger than the latency, found `2s`"
            ),
            ("latency soon", "5:9: expected a time such as `300ms` or `2s`, found `soon`"),
            ("late 1s wait 1s", "5:9: expected a step that sends one frame, found `wait`"),
            ("late 1s late 1s bye", "5:9: expected a step that sends one frame, found `late`"),
            ("reorder 1", "5:9: expected a number of samples or `off`, 2 to 1000, found `1`"),
            ("reorder all", "5:9: expected a number of samples or `off`, found `all`"),
            ("reconnect list", "5:11: expected the end of the line, found `list`"),
            ("random -1", "5:8: expected a seed, 0 to 9007199254740992, found `-1`"),
            ("random 1.5", "5:8: expected a seed, 0 to 9007199254740992, found `1.5`"),
            (
                "wander list 0 gestures between 0 and 1 in 1s",
                "5:13: expected a number of gestures, 1 to 200, found `0`"
            ),
            ("wander list 2 times", "5:15: expected `gestures`, found `times`"),
            (
                "wander list 2 gestures between 0 and 1 in 3600s",
                "5:43: expected at most 20000 samples, found `3600s`"
            ),
            (
                "drag list 0 -> 1 in 3600s at 1000",
                "5:11: expected at most 20000 samples, found `0`"
            ),
            (
                "drag list 0 -> 1 in 1s eased slowly",
                "5:30: expected a curve (linear, easeIn, easeOut, easeInOut), found `slowly`"
            ),
            (
                "drag list 0 -> $ in 1s",
                "5:17: expected the name of a variable, found ` `"
            ),
            (
                "drag list 0 -> 1 recorded",
                "5:26: expected the path of a file, found the end of the line"
            ),
            (
                "drag list 0 -> 1 recorded x.jsonl",
                "5:27: expected a journal, but it is not available here, found `x.jsonl`"
            ),
            (
                "bye limit",
                "5:10: expected a time such as `300ms` or `2s`, found the end of the line"
            ),
            ("wait 3601s", "5:6: expected a time of at most 3600s, found `3601s`"),
            ("wait 1e300s", "5:6: expected a time of at most 3600s, found `1e300s`"),
            ("expect close 70000", "5:14: expected a close code, 0 to 65535, found `70000`"),
            ("expect x {a: length 1e30}", "5:21: expected a number of elements, found `1e30`"),
            ("expect x {a: length 1.5}", "5:21: expected a number of elements, found `1.5`"),
            (
                "let a = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1",
                "5:39: expected at most 8 terms, found `+`"
            ),
        ])
    func mistakes(steps: String, message: String) {
        #expect {
            try scenarioOfTwo(steps)
        } throws: {
            "\($0)" == message
        }
    }

    @Test(
        "An error in a header is reported at its position",
        arguments: [
            ("clients:", "3:9: expected the name of a client, found the end of the line"),
            ("clients: anna ben", "3:15: expected the end of the line, found `ben`"),
            (
                "clients: anna, anna",
                "3:16: expected a name that is not used yet, found `anna`"
            ),
            (
                "clients: a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p",
                "3:40: expected at most 15 names, found `p`"
            ),
            ("limit: soon", "3:8: expected a time such as `300ms` or `2s`, found `soon`"),
            (
                "limit: 1s\nlimit: 2s",
                "4:1: expected each head only once, found `limit`"
            ),
        ])
    func headMistakes(head: String, message: String) {
        #expect {
            try ScenarioParser.parse(
                "description: d\nexpectation: e\n\(head)\n# p\nskip\n", name: "x")
        } throws: {
            "\($0)" == message
        }
    }

    @Test("A scenario with too many steps is refused")
    func tooManySteps() {
        let steps = String(repeating: "skip\n", count: ScenarioBounds.stepsMax + 1)
        #expect {
            try scenario(steps)
        } throws: {
            "\($0)" == "10005:1: expected at most 10000 steps, found `skip`"
        }
    }
}
