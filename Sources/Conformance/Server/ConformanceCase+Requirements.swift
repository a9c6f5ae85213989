internal import RefreshProtocol
internal import ScenarioKit

extension ConformanceCase {
    /// Adds the requirements that the messages of the script imply to those named in the head.
    mutating func addImpliedRequirements(profiles: Set<String>) {
        guard case .script(let acts) = body else { return }
        var used = requirements
        for step in acts.flatMap(\.phase.steps) {
            switch step.action {
            case .send(let message):
                ServerRequirement.collect(from: message, profiles: profiles, into: &used)
            case .sendBatch(let messages):
                for message in messages {
                    ServerRequirement.collect(from: message, profiles: profiles, into: &used)
                }
            default: break
            }
        }
        if Set(acts.map(\.connection)).count > 1 { used.append(.connections) }
        requirements = used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
