import Foundation
import RefreshScenario
import Testing

/// Scenarios in process and over sockets to a whole daemon.
@Suite("The same scenario has the same verdict", .serialized)
struct ScenarioVerdictTests {
    private static let scenarios = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scenarios")

    private static func inProcess() throws -> Stage {
        .inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: 20)
    }

    @Test(
        "It holds on simulated time and in earnest",
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
        "It fails at the same step, for the same reason",
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
}
