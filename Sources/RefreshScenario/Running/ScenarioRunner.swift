/// Plays a scenario over a peer and judges it.
package enum ScenarioRunner {
    /// Runs to the end or to the first step that does not hold, then leaves. The peer must be fresh.
    package static func run(_ scenario: Scenario, over peer: any Peer) async -> ScenarioResult {
        var run = ScenarioRun(peer: peer)
        var exchanges: [[Exchange]] = []
        var failure: ScenarioResult.Failure?
        for (index, phase) in scenario.phases.enumerated() where failure == nil {
            let isLast = index == scenario.phases.count - 1
            failure = await play(phase, at: index, isLast: isLast, in: &run)
            exchanges.append(run.takeExchanges())
        }
        await peer.close()
        return ScenarioResult(
            scenario: scenario, verdict: failure.map { .failed($0) } ?? .passed,
            exchanges: exchanges)
    }

    private static func play(
        _ phase: Scenario.Phase, at index: Int, isLast: Bool,
        in run: inout ScenarioRun
    ) async -> ScenarioResult.Failure? {
        for (number, step) in phase.steps.enumerated() {
            do throws(StepFailure) {
                try await run.perform(step.action)
            } catch {
                return ScenarioResult.Failure(phase: index, step: number, reason: error)
            }
        }
        do throws(StepFailure) {
            if isLast { try await run.end() }
            try run.refuseUnmatchedErrors(amongUnread: isLast)
        } catch {
            return ScenarioResult.Failure(phase: index, step: nil, reason: error)
        }
        return nil
    }
}

extension ScenarioRun {
    /// Does one step.
    mutating func perform(_ action: Step.Action) async throws(StepFailure) {
        switch action {
        case .send(let message): try await send([message], asBatch: false)
        case .sendBatch(let messages): try await send(messages, asBatch: true)
        case .sendRaw(let text): try await sendText(text)
        case .gesture(let gesture): try await perform(gesture)
        case .say(let word, let feed): try await say(word, ofFeed: feed)
        case .wait(let duration): try await pass(until: now(plus: duration))
        case .skip: try await skip()
        case .expect(let expectation): try await meet(expectation)
        }
    }
}
