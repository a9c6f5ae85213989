import RefreshScenario
import Testing

@Suite("In process")
struct InProcessTests {
    @Test("Every scenario of the tree holds", arguments: ScenarioFiles.names)
    func holds(name: String) async throws {
        let scenario = try ScenarioFiles.scenario(name)
        let peer = SessionPeer(feeds: [try SimulatedFeed.demo()], latencyMs: 20)
        let result = await ScenarioRunner.run(scenario, over: peer)
        if result.failure != nil {
            Issue.record(Comment(rawValue: ScenarioReport.text(result)))
        }
    }
}
