internal import RefreshProtocol

/// Runs a scenario and returns its result.
package enum ScenarioRunner {
    /// Runs a scenario over one connection. The peer must be new. If a step needs another
    /// connection, the scenario fails at this step.
    package static func run(_ scenario: Scenario, over peer: any Peer) async -> ScenarioResult {
        var peers = [peer]
        return await run(scenario) { peers.popLast() }
    }

    /// Runs a scenario to its end or to the first step that fails, and then closes the connections.
    /// Each call of `connect` returns a new connection to the same daemon, or nil if there is none.
    /// If `seed` is not nil, it overrides the seeds in steps.
    package static func run(
        _ scenario: Scenario, seed: UInt64? = nil, connecting connect: @escaping () -> (any Peer)?
    ) async -> ScenarioResult {
        var play = ScenarioPlay(scenario, seed: seed, connecting: connect)
        var exchanges: [[Exchange]] = []
        var failure: ScenarioResult.Failure?
        for (index, phase) in scenario.phases.enumerated() where failure == nil {
            let isLast = index == scenario.phases.count - 1
            failure = await evaluate(phase, at: index, isLast: isLast, in: &play)
            exchanges.append(play.drainExchanges())
        }
        await play.closeAllConnections()
        return ScenarioResult(
            scenario: scenario, verdict: failure.map { .failed($0) } ?? .passed,
            exchanges: exchanges, seed: play.seed)
    }

    private static func evaluate(
        _ phase: Scenario.Phase, at index: Int, isLast: Bool, in play: inout ScenarioPlay
    ) async -> ScenarioResult.Failure? {
        for (number, step) in phase.steps.enumerated() {
            do throws(StepFailure) {
                try await play.perform(step)
            } catch {
                return ScenarioResult.Failure(phase: index, step: number, reason: error)
            }
        }
        do throws(StepFailure) {
            try await play.endPhase(isLast: isLast)
        } catch {
            return ScenarioResult.Failure(phase: index, step: nil, reason: error)
        }
        return nil
    }
}
