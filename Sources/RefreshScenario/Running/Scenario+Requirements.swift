internal import RefreshProtocol

/// What a scenario needs of a server that need not have it.
extension Scenario {
    /// Profiles and feeds that its messages name, each once. What a scenario makes up, such as a
    /// feed that nobody has, it does not need.
    var requirements: [ConformanceRequirement] {
        var used: [ConformanceRequirement] = []
        for action in actions {
            switch action {
            case .send(let message):
                ConformanceCase.note(message, ConformanceSuite.profiles, &used)
            case .sendBatch(let messages):
                for message in messages {
                    ConformanceCase.note(message, ConformanceSuite.profiles, &used)
                }
            default: break
            }
        }
        return used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether it says what only the other side of a feed can say.
    var scriptsFeeds: Bool {
        actions.contains { action in
            if case .say = action { true } else { false }
        }
    }

    /// What all its steps do, those of blocks and late ones too.
    private var actions: [Step.Action] {
        phases.flatMap(\.steps).flatMap { step in
            guard case .atOnce(let steps) = step.action else { return [step.action] }
            return steps.map(\.action)
        }.map { action in
            if case .late(_, let action) = action { action } else { action }
        }
    }
}
