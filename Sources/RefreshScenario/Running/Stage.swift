package import WebSocketTransport

/// Where scenarios play. The same scenario has the same verdict on each.
package enum Stage: Sendable {
    /// Over sessions without a socket, on simulated time; a feed's answer takes `latencyMs`.
    case inProcess(feeds: [SimulatedFeed], latencyMs: Double)
    /// Over WebSockets to a daemon, in real time.
    case daemon(url: String, dialer: Dialer)

    /// Plays one scenario: with a daemon of its own in process, with everybody's at a URL. `seed`:
    /// what is drawn comes from there, whatever the scenario says.
    package func play(_ scenario: Scenario, seed: UInt64? = nil) async -> ScenarioResult {
        await play(scenario, seed, knowing: await survey(for: [scenario]))
    }

    /// `survey`: what the server at the URL has, where somebody wanted to know.
    private func play(
        _ scenario: Scenario, _ seed: UInt64?, knowing survey: ConformanceSurvey?
    ) async -> ScenarioResult {
        if let missing = missing(for: scenario, survey) {
            return ScenarioResult(
                scenario: scenario, verdict: .skipped(reason: "not offered: \(missing)"),
                exchanges: [], seed: nil)
        }
        switch self {
        case .inProcess(let feeds, let latencyMs):
            let daemon = InProcessDaemon(feeds: feeds, latencyMs: latencyMs)
            return await ScenarioRunner.run(scenario, seed: seed) { daemon.connect() }
        case .daemon(let url, let dialer):
            return await ScenarioRunner.run(scenario, seed: seed) {
                WebSocketPeer(url: url, dialer: dialer)
            }
        }
    }

    /// Plays all scenarios, up to `limit` of them at one time, each over connections of its own,
    /// and hands out the results in the order of the scenarios.
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

    /// How long a server may take to say what it has, milliseconds.
    private static let surveyMs = 5_000.0

    /// What the server at the URL has, if one of the scenarios needs to know. A server that does
    /// not tell is asked everything: then the scenario says what is wrong with it.
    private func survey(for scenarios: [Scenario]) async -> ConformanceSurvey? {
        guard case .daemon(let url, let dialer) = self,
            scenarios.contains(where: { !$0.requirements.isEmpty })
        else { return nil }
        do throws(StepFailure) {
            return try await ConformanceSurvey(
                ConformanceStage(url: url, dialer: dialer), patienceMs: Self.surveyMs)
        } catch {
            return nil
        }
    }

    /// What the scenario needs and is not there; nil: it can be played.
    private func missing(for scenario: Scenario, _ survey: ConformanceSurvey?) -> String? {
        guard case .daemon = self else { return nil }
        if scenario.scriptsFeeds { return "feeds that can be scripted (in process only)" }
        return survey?.missing(for: scenario.requirements)?.description
    }
}
