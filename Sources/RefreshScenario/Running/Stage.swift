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
        await withTaskGroup(of: (Int, ScenarioResult).self) { group in
            var waiting = scenarios.enumerated().makeIterator()
            var finished: [Int: ScenarioResult] = [:]
            var reported = 0
            func startNext() {
                guard let (index, scenario) = waiting.next() else { return }
                group.addTask { (index, await play(scenario, seed: seed)) }
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
}
