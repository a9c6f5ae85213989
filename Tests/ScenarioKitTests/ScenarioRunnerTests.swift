import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing

/// A daemon that sends `welcome` and then answers by the type of the message.
private func daemon(
    _ answers: [String: [(afterMs: Double, event: PeerEvent)]]
) -> ScriptedPeer {
    ScriptedPeer { message, _ in
        guard let type = message["type"]?.string else { return [] }
        if type == "hello" { return [(0, .frame("{\"type\":\"welcome\",\"protocol\":1}"))] }
        return answers[type] ?? []
    }
}

private let refreshing: [(afterMs: Double, event: PeerEvent)] = [
    (
        0,
        .frame(
            """
            [{"type":"update","view":"list","ack":1,"top":{"state":"refreshing","cause":"code"},"inset":{"top":60}},
             {"type":"load","view":"list","load":"1.1","kind":"refresh"}]
            """)
    ),
    (3000, .frame("{\"type\":\"update\",\"view\":\"list\",\"top\":{\"state\":\"idle\"}}")),
]

private func run(_ steps: String, over peer: ScriptedPeer) async throws -> ScenarioResult {
    await ScenarioRunner.run(try scenario(steps), over: peer)
}

@Suite("The scenario runner")
struct ScenarioRunnerTests {
    @Test(
        "A scenario whose expectations are met passes",
        arguments: [
            "expect update list {top: {state: refreshing}}",
            "expect load list {load: ?id}\nsend {type: x, load: $id}",
            "expect load and update list",
            "expect together load and update list",
            "expect next update\nexpect next load {load: \"1.1\"}",
            "expect next welcome\nexpect next update",
            "expect state list.top refreshing",
            "expect state list.top {state: refreshing, cause: code}",
            "expect state list {inset: {top: 60}, ack: 1}",
            "expect state list.top idle within 4s",
            "expect state list.top idle\nexpect state list.top {cause: code}",
            "expect load\nexpect nothing for 2s\nexpect update {top: {state: idle}}",
            "expect no update {top: {state: idle}} for 2s",
            "expect no error",
            "wait 4s\nexpect update {top: {state: idle}}",
            "skip\nexpect nothing for 1s",
        ])
    func passes(steps: String) async throws {
        let peer = daemon(["refresh": refreshing])
        let first = steps.hasPrefix("expect next welcome") ? "" : "expect welcome\n"
        let result = try await run("hello\n\(first)refresh list\n\(steps)", over: peer)
        #expect(result.failure == nil)
        #expect(peer.isClosed)
    }

    @Test(
        "An unmet expectation fails with the expected and the actual value",
        arguments: [
            (
                "expect update list {top: {state: eligible}}",
                "{type: \"update\", view: \"list\", top: {state: \"eligible\"}}",
                ["top.state: expected \"eligible\", found \"refreshing\""]
            ),
            (
                "expect load and load", "{type: \"load\"}",
                ["type: expected \"load\", found \"update\""]
            ),
            (
                "expect next load", "{type: \"load\"}",
                ["type: expected \"load\", found \"update\""]
            ),
            ("expect nothing", "nothing", []),
            ("expect no load", "no {type: \"load\"}", []),
            (
                "expect state list.top idle within 1s",
                "list in the state {top: {state: \"idle\"}}",
                ["top.state: expected \"idle\", found \"refreshing\""]
            ),
            (
                "expect state other.top idle within 1s",
                "other in the state {top: {state: \"idle\"}}",
                ["the message: expected {top: {state: \"idle\"}}, found nothing"]
            ),
            (
                "skip\nexpect together load and update within 1s",
                "in one frame: {type: \"load\"} and {type: \"update\"}", []
            ),
            ("expect close 1000 within 1s", "close 1000", []),
            ("send {a: $nobody}", "a value in $nobody", []),
            ("finish other success", "a `load` message to answer", []),
        ])
    func fails(steps: String, expected: String, mismatches: [String]) async throws {
        let peer = daemon(["refresh": refreshing])
        let result = try await run("hello\nexpect welcome\nrefresh list\n\(steps)", over: peer)
        let failure = try #require(result.failure)
        #expect(failure.reason.expected == expected)
        #expect(failure.reason.mismatches.map(\.description) == mismatches)
        #expect(failure.step == 2 + steps.split(separator: "\n").count)
        #expect(peer.isClosed)
    }

    @Test("An error that no expectation names fails the scenario")
    func errors() async throws {
        let fault = PeerEvent.frame("{\"type\":\"error\",\"code\":\"unknownView\"}")
        let answers = ["refresh": [(afterMs: 0.0, event: fault)]]
        let steps = "hello\nexpect welcome\nrefresh list"
        let silent = try await run(steps, over: daemon(answers))
        #expect(silent.failure?.reason.expected == "only `error` messages that the script expects")
        #expect(silent.failure?.step == nil)
        let named = try await run(
            steps + "\nexpect error {code: unknownView}", over: daemon(answers))
        #expect(named.failure == nil)
        let skipped = try await run(steps + "\nskip", over: daemon(answers))
        #expect(skipped.failure != nil)
    }

    @Test("An unexpected close or an unexpected code fails the scenario")
    func closes() async throws {
        let answers = ["bye": [(afterMs: 10.0, event: PeerEvent.closed(code: 1000, reason: ""))]]
        let steps = "hello\nexpect welcome\nbye"
        #expect(try await run(steps + "\nwait 1s", over: daemon(answers)).failure != nil)
        #expect(try await run(steps + "\nexpect close 1000", over: daemon(answers)).failure == nil)
        #expect(try await run(steps + "\nexpect close", over: daemon(answers)).failure == nil)
        let wrong = try await run(steps + "\nexpect close 4001", over: daemon(answers))
        #expect(wrong.failure?.reason.came == "close 1000")
        let sending = try await run(steps + "\nwait 1s\nrefresh list", over: daemon(answers))
        #expect(sending.failure?.reason.expected == "an open connection")
    }

    @Test("A frame that is not JSON fails the scenario")
    func garbage() async throws {
        let answers = ["refresh": [(afterMs: 0.0, event: PeerEvent.frame("{\"type\":"))]]
        let result = try await run("hello\nrefresh list\nwait 1s", over: daemon(answers))
        #expect(result.failure?.reason.expected == "a frame that is valid JSON")
    }

    @Test("If the daemon stops answering, the scenario fails within its time limit")
    func silence() async throws {
        let peer = ScriptedPeer()
        let result = try await run("hello\nexpect welcome within 30s", over: peer)
        #expect(result.failure?.reason.came == "nothing")
        #expect(peer.now == Instant(milliseconds: 31_000))
    }

    @Test("Messages get sequence numbers and the members that the protocol requires")
    func numbering() async throws {
        let peer = daemon(["refresh": refreshing])
        let result = try await run(
            """
            hello {client: me}
            refresh list
            send {type: cancel, view: list, seq: 7}
            send [{type: begin, view: list}, {type: end, view: list}]
            send {type: begin, view: list, seq: 3}
            expect load
            finish list success {count: 10}
            loadProgress list {load: "9.9", progress: 0.5}
            raw "[1"
            bye
            """, over: peer)
        #expect(result.failure == nil)
        #expect(
            peer.raw.filter { !$0.contains("ping") } == [
                "{\"type\":\"hello\",\"client\":\"me\",\"protocol\":1}",
                "{\"type\":\"refresh\",\"seq\":1,\"view\":\"list\"}",
                "{\"type\":\"cancel\",\"view\":\"list\",\"seq\":7}",
                "[{\"type\":\"begin\",\"seq\":8,\"view\":\"list\"},{\"type\":\"end\",\"seq\":9,\"view\":\"list\"}]",
                "{\"type\":\"begin\",\"view\":\"list\",\"seq\":3}",
                "{\"type\":\"loadFinished\",\"seq\":10,\"view\":\"list\",\"result\":\"success\",\"count\":10,\"load\":\"1.1\"}",
                "{\"type\":\"loadProgress\",\"seq\":11,\"view\":\"list\",\"load\":\"9.9\",\"progress\":0.5}",
                "[1",
                "{\"type\":\"bye\"}",
            ])
    }

    @Test("A gesture sends its samples on time, and the next one may use the same finger")
    func gestures() async throws {
        let peer = ScriptedPeer()
        _ = try await run(
            """
            drag list 0 -> -20 in 100ms at 20
            drag list -> -10 in 50ms at 20
            hold list for 1500ms
            release list velocity 30
            glide list -> 0 in 100ms at 10 by wheel
            settle list
            pan list -> 8 in 50ms at 20
            interrupt list
            """, over: peer)
        // The last message is the runner's final ping.
        let samples = peer.sent.dropLast().map { entry in
            let place = entry.value["offset"] ?? entry.value["translation"]
            return
                "\(Int(entry.at.milliseconds)) \(entry.value["phase"]?.string ?? "") \(place?.text ?? "")"
        }
        #expect(
            samples == [
                "1000 began 0", "1050 dragging -10", "1100 dragging -20", "1150 dragging -10",
                "2150 dragging -10", "2650 dragging -10", "2650 ended -10", "2750 decelerating 0",
                "2750 idle 0", "2750 began 0", "2800 dragging 8", "2800 cancelled 8",
            ])
        #expect(peer.sent[6].value["velocity"] == .number(30))
        #expect(peer.sent[7].value["cause"] == .string("wheel"))
        #expect(peer.sent[0].value["t"] == .number(1000))
    }

    @Test("If a scenario fails, only the failing phase is shown, with the difference")
    func report() async throws {
        let text = """
            description: d
            expectation: It refreshes.
            # first
            hello
            expect welcome
            # second
            refresh list
            expect update list {top: {state: idle}} within 1s
            wait 5s
            # third
            skip
            """
        let whole = try ScenarioParser.parse(text, name: "refresh-x")
        let result = await ScenarioRunner.run(whole, over: daemon(["refresh": refreshing]))
        #expect(
            ScenarioReport.text(result) == """
                FAIL  refresh-x
                      It refreshes.
                # second
                    refresh list
                  ! expect update list {top: {state: idle}} within 1s    (line 8)
                  - expected  {type: "update", view: "list", top: {state: "idle"}}
                  + found     {"type":"update","view":"list","ack":1,"top":{"state":"refreshing","cause":"code"},"inset":{"top":60}}
                    differs   top.state: expected "idle", found "refreshing"
                  exchanged in this phase:
                    > 0ms {"type":"refresh","seq":1,"view":"list"}
                    < 0ms {"type":"update","view":"list","ack":1,"top":{"state":"refreshing","cause":"code"},"inset":{"top":60}}
                    < 0ms {"type":"load","view":"list","load":"1.1","kind":"refresh"}
                """)
        #expect(ScenarioReport.summary([result]) == "0 passed, 1 failed")
        #expect(ScenarioReport.jsonSummary([result]) == "{\"passed\":0,\"failed\":1,\"skipped\":0}")
        let json = try JSONValue(parsing: ScenarioReport.json(result))
        #expect(json["verdict"] == .string("failed"))
        #expect(json["line"] == .number(8))
        #expect(json["phase"] == .string("second"))
    }

    @Test("Control characters from a server do not reach the terminal")
    func escapes() async throws {
        let odd = daemon([
            "refresh": [(0, .frame("{\"type\":\"load\",\"view\":\"list\",\"x\":\"\u{9B}31m\"}"))]
        ])
        let result = try await run("hello\nrefresh list\nexpect load list {x: a}", over: odd)
        let text = ScenarioReport.text(result)
        #expect(
            text.contains(#"found     {"type":"load","view":"list","x":"\u009b31m"}"#), "\(text)")
        #expect(!text.contains("\u{9B}"))
    }

    @Test("A passed scenario is reported in one line")
    func reportPassed() async throws {
        let result = try await run("hello\nexpect welcome", over: daemon([:]))
        #expect(ScenarioReport.text(result) == "ok    test")
        #expect(ScenarioReport.json(result) == "{\"scenario\":\"test\",\"verdict\":\"passed\"}")
        #expect(ScenarioReport.summary([result]) == "1 passed, 0 failed")
    }
}
