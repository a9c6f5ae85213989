import Foundation
import ScenarioKit
import Testing

/// Scenarios that run in process, and over sockets against a whole daemon.
@Suite("Verdicts in process and over sockets", .serialized)
struct ScenarioVerdictTests {
    private static let scenarios = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scenarios")

    private static func inProcess() throws -> ScenarioEnvironment {
        .inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: 20)
    }

    @Test(
        "A scenario passes both on simulated time and in real time",
        arguments: [
            "session-two-readers", "session-lost-connection", "session-fenced",
            "session-late-input", "session-reordered-samples",
        ])
    func holds(name: String) async throws {
        let daemon = try ConformanceDaemon()
        let scenario = try ScenarioFile.read(
            Self.scenarios.appending(path: "\(name).scenario").path)
        for stage in [try Self.inProcess(), daemon.scenarioStage] {
            let result = await stage.play(scenario)
            if result.failure != nil {
                Issue.record(Comment(rawValue: ScenarioReport.text(result)))
            }
        }
    }

    @Test(
        "A scenario fails at the same step and for the same reason in process and over sockets",
        arguments: [
            ("expect load within 200ms", 3), ("drop\nrefresh list", 4),
            ("wait 2s limit 200ms", 3), ("expect fenced", 3),
            (
                "begin list\ndrop\nreconnect\nexpect welcome\nexpect state list.top idle within 200ms",
                7
            ),
            ("reconnect {resume: {session: \"x\", token: \"y\"}}\nexpect fenced within 200ms", 4),
            ("late 50ms refresh list\nbegin list\nexpect load within 400ms", 5),
            (
                "at once {\nexpect no load for 100ms\nanna: hello\nanna: expect attached within 200ms\n}",
                3
            ),
            ("drag list 0 -> $nothing in 100ms", 3),
        ])
    func fails(steps: String, step: Int) async throws {
        let daemon = try ConformanceDaemon()
        let scenario = try ScenarioParser.parse(
            """
            description: d
            expectation: e
            clients: anna
            # p
            hello
            attach list {profile: iqpulltorefresh, bottom: null}
            expect attached list
            \(steps)

            """, name: "x")
        let inProcess = await (try Self.inProcess()).play(scenario)
        let overSocket = await daemon.scenarioStage.play(scenario)
        let expected = try #require(inProcess.failure)
        let came = try #require(overSocket.failure)
        #expect(expected.step == step && came.step == step)
        #expect(came.reason.expected == expected.reason.expected)
        #expect(came.reason.step == expected.reason.step)
    }

    private static func bare(_ steps: String) throws -> Scenario {
        try ScenarioParser.parse(
            "description: d\nexpectation: e\n# p\n\(steps)\n", name: "x")
    }

    @Test(
        "A scenario fails if an error or a close is among the messages that it leaves unread",
        arguments: [
            ("hello {protocol: 99}", "a connection that stays open"),
            ("hello\nbye", "a connection that stays open"),
            ("hello\nexpect welcome\nbye", "a connection that stays open"),
            ("raw \"[1\"", "only `error` messages that the script expects"),
            ("refresh list", "only `error` messages that the script expects"),
            ("hello\nrefresh unknown", "only `error` messages that the script expects"),
            (
                "hello\nexpect welcome\nrefresh unknown",
                "only `error` messages that the script expects"
            ),
            ("hello\nlate 100ms refresh unknown", "only `error` messages that the script expects"),
            (
                "latency 50ms\nhello\nrefresh unknown",
                "only `error` messages that the script expects"
            ),
        ])
    func unread(steps: String, expected: String) async throws {
        let daemon = try ConformanceDaemon()
        let scenario = try Self.bare(steps)
        for stage in [try Self.inProcess(), daemon.scenarioStage] {
            let failure = try #require(await stage.play(scenario).failure)
            #expect(failure.step == nil)
            #expect(failure.reason.expected == expected)
        }
    }

    @Test(
        "A scenario that causes no errors passes even if it reads no messages",
        arguments: [
            "hello", "ping {t: 1}", "wait 5ms", "let a = 1", "bye\nexpect close 1000",
            "hello\nlate 20ms ping {t: 1}", "hello\nexpect welcome\ndrop",
        ])
    func unreadRight(steps: String) async throws {
        let daemon = try ConformanceDaemon()
        let scenario = try Self.bare(steps)
        for stage in [try Self.inProcess(), daemon.scenarioStage] {
            let result = await stage.play(scenario)
            #expect(result.failure == nil, "\(ScenarioReport.text(result))")
        }
    }
}
