internal import RefreshProtocol

extension ConformanceCase {
    /// The profile that every server has.
    static let commonProfile = "default"
    /// The feed that a server under test should have.
    static let commonFeed = "packages"

    /// Adds the requirements that the messages of the script imply to those named in the head.
    mutating func addImpliedRequirements(profiles: Set<String>) {
        guard case .script(let acts) = body else { return }
        var used = requirements
        for step in acts.flatMap(\.phase.steps) {
            switch step.action {
            case .send(let message):
                Self.collectRequirements(of: message, profiles: profiles, into: &used)
            case .sendBatch(let messages):
                for message in messages {
                    Self.collectRequirements(of: message, profiles: profiles, into: &used)
                }
            default: break
            }
        }
        if Set(acts.map(\.connection)).count > 1 { used.append(.connections) }
        requirements = used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Adds the requirements that a message implies.
    static func collectRequirements(
        of message: Pattern, profiles: Set<String>, into used: inout [ConformanceRequirement]
    ) {
        if case .value(.string(let name)) = message["profile"], name != commonProfile,
            profiles.contains(name)
        {
            used.append(.profile(name))
        }
        if message["feed"] == Pattern.text(commonFeed) { used.append(.feed(commonFeed)) }
        if case .array(let views, _) = message["views"] {
            for view in views { collectRequirements(of: view, profiles: profiles, into: &used) }
        }
    }
}
