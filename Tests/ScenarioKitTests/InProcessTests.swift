import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing
import Workbench

@Suite("Scenarios in process", .ownThread)
struct InProcessTests {
    @Test("Every scenario of the repository passes in process", arguments: ScenarioFiles.names)
    func holds(name: String) async throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
        let stage = ScenarioEnvironment.inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: 20)
        let result = await stage.play(scenario)
        if result.failure != nil {
            Issue.record(Comment(rawValue: ScenarioReport.text(result)))
        }
    }

    @Test("An unmet expectation fails in its phase, and the failure shows the received message")
    func wrongExpectation() async throws {
        let text = """
            description: d
            expectation: e
            # attach
            hello
            attach list {profile: iqpulltorefresh, bottom: null}
            expect attached list
            # pull
            drag list 0 -> -60 in 200ms at 60
            expect state list.top refreshing within 1s
            """
        let scenario = try ScenarioParser.parse(text, name: "refresh-wrong")
        let peer = SessionPeer(feeds: [], latencyMs: 0)
        let failure = try #require(await ScenarioRunner.run(scenario, over: peer).failure)
        #expect(failure.phase == 1)
        #expect(failure.step == 1)
        #expect(
            failure.reason.mismatches.map(\.description)
                == ["top.state: expected \"refreshing\", found \"eligible\""])
    }

    @Test("The same scenario has the same exchange in each run")
    func deterministic() async throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: "pan-rubber-band"))
        let first = await ScenarioRunner.run(scenario, over: SessionPeer(feeds: [], latencyMs: 0))
        let second = await ScenarioRunner.run(scenario, over: SessionPeer(feeds: [], latencyMs: 0))
        #expect(first == second)
        #expect(first.failure == nil)
    }

    @Test("Half a minute of simulated time takes no real time")
    func simulatedTime() async throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: "refresh-never-begun"))
        let peer = SessionPeer(feeds: [], latencyMs: 0)
        let result = await ScenarioRunner.run(scenario, over: peer)
        #expect(result.failure == nil)
        #expect(peer.now > Instant(milliseconds: 30_000))
    }

    @Test("Scenarios that run at the same time are reported in the given order")
    func order() async throws {
        let scenarios = try ScenarioFiles.names.prefix(12).map {
            try ScenarioFile.read(ScenarioFiles.path(of: $0))
        }
        let stage = ScenarioEnvironment.inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: 5)
        var names: [String] = []
        await stage.play(scenarios, atOneTime: 4) { names.append($0.scenario.name) }
        #expect(names == scenarios.map(\.name))
    }

    @Test("If a feed's answer takes longer than the deadline, the load ends as timed out")
    func lateFeed() async throws {
        let steps = """
            hello
            attach list {profile: iqpulltorefresh, feed: packages}
            refresh list
            expect loading list {phase: timedOut} within 31s
            expect state list.top {state: idle, result: timedOut}
            """
        let peer = SessionPeer(feeds: [try SimulatedFeed.demo()], latencyMs: 60_000)
        #expect(await ScenarioRunner.run(try scenario(steps), over: peer).failure == nil)
    }
}
