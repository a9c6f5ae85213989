import RefreshProtocol
import ScenarioKit
import Testing
import Workbench

@Suite("Several clients, the network and randomness", .ownThread)
struct ScenarioPlayTests {
    private static func parse(_ steps: String, heads: String = "") throws -> Scenario {
        try ScenarioParser.parse(
            "description: d\nexpectation: e\n\(heads)\n# p\n\(steps)\n", name: "x")
    }

    private static func play(
        _ steps: String, heads: String = "", seed: UInt64? = nil, latencyMs: Double = 20
    ) async throws -> ScenarioResult {
        let stage = ScenarioEnvironment.inProcess(
            feeds: [try SimulatedFeed.demo()], latencyMs: latencyMs)
        return await stage.play(try parse(steps, heads: heads), seed: seed)
    }

    private static let attach = """
        hello {views: [{view: list, profile: iqpulltorefresh, bottom: null,
          top: {length: 60, hysteresis: 0, slop: 0, minVisible: 0, successHold: 0, failureHold: 0}}]}
        expect attached list

        """

    private static func failure(
        _ steps: String, heads: String = ""
    ) async throws -> StepFailure {
        try #require(try await play(attach + steps, heads: heads).failure).reason
    }

    @Test("A step or a scenario that takes longer than its limit fails")
    func limits() async throws {
        let late = try await Self.failure("wait 2s limit 500ms")
        #expect(late.expected == "the end of the step within 500ms")
        #expect(late.came == "it is still running")
        let each = try await Self.failure(
            "drag list 0 -> -50 in 3s", heads: "step limit: 2s\nlimit: 60s")
        #expect(each.expected == "the end of the step within 2000ms")
        let whole = try await Self.failure("wait 2s\nwait 2s\nwait 2s", heads: "limit: 5s")
        #expect(whole.expected == "the end of the step within 5000ms")
        let block = try await Self.failure("at once {\nwait 1s\nwait 1s\n} limit 1500ms")
        #expect(block.expected == "the end of the step within 1500ms")
        let waiting = try await Self.failure("expect load within 5s limit 1s")
        #expect(waiting.expected == "the end of the step within 1000ms")
        #expect(try await Self.play("wait 500ms limit 500ms").failure == nil)
    }

    @Test("A failing step of a block is named, and the messages of all clients are shown in order")
    func failingBlock() async throws {
        let result = try await Self.play(
            """
            at once {
              anna: hello
              anna: expect welcome
              ben: hello
              ben: wait 10ms
              ben: expect load within 10ms
            }
            """, heads: "clients: anna, ben")
        let failure = try #require(result.failure)
        #expect(failure.reason.step == "ben: expect load within 10ms    (line 10)")
        let text = ScenarioReport.text(result)
        #expect(text.contains("  in ben: expect load within 10ms    (line 10)"))
        #expect(text.contains("    anna > 0ms {\"type\":\"hello\""))
        #expect(text.contains("    ben < 0ms {\"type\":\"welcome\""))
    }

    @Test("Frames have the latency in each direction, and stay in order")
    func latency() async throws {
        let result = try await Self.play(
            """
            random 3
            latency 100ms ± 90ms
            hello
            expect welcome within 380ms
            ping {t: 1}
            ping {t: 2}
            ping {t: 3}
            expect next pong {t: 1}
            expect next pong {t: 2}
            expect next pong {t: 3}
            latency 0ms
            """)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
        let welcome = try #require(
            result.exchanges[0].first { $0.text.contains("\"welcome\"") })
        #expect((20...380).contains(welcome.afterMs))
        #expect(result.seed == 3)
        let fixed = try await Self.play("latency 100ms\nhello\nexpect welcome")
        #expect(fixed.exchanges[0].map(\.afterMs) == [0, 200])
        #expect(fixed.seed == nil)
    }

    @Test("Frames that are in transit when the connection is dropped are lost")
    func lost() async throws {
        let result = try await Self.play(
            Self.attach + """
                latency 100ms
                begin list
                drop
                wait 300ms
                latency 0ms
                reconnect
                expect next welcome {resumed: true, ack: 0}
                expect state list.top idle
                """)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
    }

    @Test("A client without a connection can resume within the resume window, but not after it")
    func windowOver() async throws {
        let result = try await Self.play(
            Self.attach + """
                drop
                wait 59s
                reconnect
                expect next welcome {resumed: true}
                drop
                wait 61s
                reconnect
                expect next welcome {resumed: false, reason: unknownSession}
                """)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
        #expect(result.exchanges[0].last.map { $0.afterMs >= 120_000 } == true)
    }

    @Test(
        "A step that a client cannot perform is reported",
        arguments: [
            ("drop\nrefresh list", "an open connection"),
            ("expect fenced", "a connection that an earlier `reconnect` replaced"),
            ("let x = $y", "a value in $y"), ("let x = $y + 1", "a number"),
            ("let x = word\ndrag list 0 -> $x in 1s", "a number"),
            ("let x = word\nexpect state list {list: <$x}", "list in the state {list: <$x}"),
            ("let x = 1e300 + 1", "a number"), ("drag list 0 -> 1e300 in 1s", "a number"),
            ("wander list 3 gestures between -1e308 and 1e308 in 1s", "a number"),
            ("reconnect\nexpect fenced\nexpect close within 1s", "close"),
            (
                "reconnect\nreconnect {resume: {session: \"x\", token: \"y\"}}\nexpect fenced within 1s",
                "{type: \"error\", code: \"sessionTaken\"}"
            ),
        ])
    func impossible(steps: String, expected: String) async throws {
        #expect(try await Self.failure(steps).expected == expected)
    }

    @Test("A resume without a `welcome` fails, and so does a step of a client without a connection")
    func alone() async throws {
        let early = try #require(try await Self.play("reconnect").failure)
        #expect(early.reason.expected == "a `welcome` with a session and a token")
        let scenario = try Self.parse("hello\nanna: hello", heads: "clients: anna")
        let result = await ScenarioRunner.run(
            scenario, over: SessionPeer(feeds: [], latencyMs: 0))
        #expect(result.failure?.reason.expected == "a connection for anna")
        #expect(result.failure?.step == 1)
    }

    @Test(
        "The same seed gives the same gestures, and a seed argument overrides that of the file"
    )
    func seeds() async throws {
        let steps = Self.attach + "random 5\nwander list 5 gestures between -90 and 30 in 1s\nskip"
        func samples(_ seed: UInt64?) async throws -> [String] {
            let result = try await Self.play(steps, seed: seed)
            #expect(result.failure == nil)
            #expect(result.seed == seed ?? 5)
            return result.exchanges.joined().filter { $0.side == .client }.map(\.text)
        }
        let first = try await samples(nil)
        #expect(first == (try await samples(5)))
        #expect(first != (try await samples(6)))
        let offsets = try first.compactMap { try JSONValue(parsing: $0)["offset"]?.number }
        #expect(offsets.count > 20)
        #expect(offsets.allSatisfy { (-90...30).contains($0) })
    }

    @Test("A failing scenario with random values reports its seed")
    func chosenSeed() async throws {
        let result = try await Self.play(
            "random 77\nlatency 10ms ± 5ms\nhello\nexpect load within 1s")
        #expect(ScenarioReport.text(result).hasSuffix("\n  seed 77"))
        #expect(try JSONValue(parsing: ScenarioReport.json(result))["seed"] == .number(77))
    }

    @Test(
        "Two runs in process have the same exchange",
        arguments: [
            "session-at-once", "session-latency", "session-lost-connection", "refresh-wander",
        ])
    func deterministic(name: String) async throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
        let stage = ScenarioEnvironment.inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: 20)
        let first = await stage.play(scenario)
        #expect(first.failure == nil)
        #expect(first == (await stage.play(scenario)))
    }

    @Test("A failure in an included file is reported with its position")
    func includedFailure() async throws {
        let sources = ScenarioSources { _ throws(ScenarioSources.Unreadable) in
            Array("hello\nexpect load within 10ms".utf8)
        }
        let scenario = try ScenarioParser.parse(
            "description: d\nexpectation: e\n# p\ninclude a.steps\n", name: "x",
            path: "x.scenario", sources: sources)
        let result = await ScenarioRunner.run(
            scenario, over: SessionPeer(feeds: [], latencyMs: 0))
        #expect(ScenarioReport.text(result).contains("(line a.steps:2)"))
        #expect(
            try JSONValue(parsing: ScenarioReport.json(result))["file"] == .string("a.steps"))
    }
}
