package import WebSocketTransport

/// The environment in which scenarios run. A scenario must have the same result in every
/// environment.
package enum ScenarioEnvironment: Sendable {
    /// Sessions without a socket, on simulated time. A feed takes `latencyMs` to answer.
    case inProcess(feeds: [SimulatedFeed], latencyMs: Double)
    /// A daemon over WebSockets, in real time.
    case daemon(url: String, dialer: Dialer)

    /// Runs one scenario. Each scenario in process has its own daemon, and all scenarios at a URL
    /// share one daemon. If `seed` is not nil, it overrides the seeds in the scenario.
    package func play(_ scenario: Scenario, seed: UInt64? = nil) async -> ScenarioResult {
        await play(scenario, seed, knowing: await survey(for: [scenario]))
    }

    /// Runs one scenario. `survey` describes the server at the URL. It is nil if the scenarios run
    /// in process, if no scenario has requirements, or if the server did not answer.
    private func play(
        _ scenario: Scenario, _ seed: UInt64?, knowing survey: ServerSurvey?
    ) async -> ScenarioResult {
        if let missing = unmetRequirement(for: scenario, survey) {
            return ScenarioResult(
                scenario: scenario, verdict: .skipped(reason: "not offered: \(missing)"),
                exchanges: [], seed: nil)
        }
        switch self {
        case .inProcess(let feeds, let latencyMs):
            let daemon = InProcessDaemon(
                feeds: feeds + scenario.additionalFeeds, latencyMs: latencyMs)
            return await ScenarioRunner.run(scenario, seed: seed) { daemon.connect() }
        case .daemon(let url, let dialer):
            return await ScenarioRunner.run(scenario, seed: seed) {
                WebSocketPeer(url: url, dialer: dialer)
            }
        }
    }

    /// Runs all scenarios, up to `limit` at a time, each with its own connections. `report`
    /// receives the results in the order of the scenarios.
    package func play(
        _ scenarios: [Scenario], seed: UInt64? = nil, atOneTime limit: Int,
        _ report: (ScenarioResult) -> Void
    ) async {
        let survey = await survey(for: scenarios)
        await withTaskGroup(of: (Int, ScenarioResult).self) { group in
            var waiting = scenarios.enumerated().makeIterator()
            var finished: [Int: ScenarioResult] = [:]
            var reported = 0
            func startNext() {
                guard let (index, scenario) = waiting.next() else { return }
                group.addTask { (index, await play(scenario, seed, knowing: survey)) }
            }
            for _ in 0..<max(1, limit) { startNext() }
            while let (index, result) = await group.next() {
                finished[index] = result
                startNext()
                while let next = finished.removeValue(forKey: reported) {
                    report(next)
                    reported += 1
                }
            }
        }
    }

    /// The maximum time in which a server must answer the query of its features, in milliseconds.
    private static let surveyMs = 5_000.0

    /// Returns the description of the server at the URL, if a scenario has requirements. If the
    /// server does not answer, no scenario is skipped because of a missing feature, and the
    /// failures of the scenarios show the problem.
    private func survey(for scenarios: [Scenario]) async -> ServerSurvey? {
        guard case .daemon(let url, let dialer) = self,
            scenarios.contains(where: { !$0.requirements.isEmpty })
        else { return nil }
        do throws(StepFailure) {
            return try await ServerSurvey(
                ServerUnderTest(url: url, dialer: dialer), timeoutMs: Self.surveyMs)
        } catch {
            return nil
        }
    }

    /// Returns the first requirement of the scenario that is not met. Nil if the scenario can run.
    private func unmetRequirement(for scenario: Scenario, _ survey: ServerSurvey?) -> String? {
        guard case .daemon = self else { return nil }
        if scenario.scriptsFeeds { return "feeds that can be scripted (in process only)" }
        return survey?.unmetRequirement(for: scenario.requirements)?.description
    }
}
