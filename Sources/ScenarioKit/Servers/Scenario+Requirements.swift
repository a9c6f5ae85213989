internal import RefreshProtocol

/// The optional features of a server that a scenario needs.
extension Scenario {
    /// The features, profiles and feeds that the messages of the scenario name, each listed once. A
    /// name that deliberately does not exist, such as that of an unknown feed, is not a
    /// requirement.
    var requirements: [ServerRequirement] {
        var used: [ServerRequirement] = []
        for action in actions {
            switch action {
            case .send(let message):
                ServerRequirement.collect(from: message, into: &used)
            case .sendBatch(let messages):
                for message in messages {
                    ServerRequirement.collect(from: message, into: &used)
                }
            default: break
            }
        }
        return used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether the scenario simulates events from the backend of a feed.
    var scriptsFeeds: Bool {
        actions.contains { action in
            if case .feedEvent = action { true } else { false }
        }
    }

    /// The actions of all steps, including steps in blocks and steps that send with a delay.
    private var actions: [Step.Action] {
        phases.flatMap(\.steps).flatMap { step in
            guard case .atOnce(let steps) = step.action else { return [step.action] }
            return steps.map(\.action)
        }.map { action in
            if case .late(_, let action) = action { action } else { action }
        }
    }
}
