internal import RefreshProtocol
package import ScenarioKit

/// A statement of docs/protocol.md, and the steps that test a server against it.
package struct ConformanceCase: Sendable {
    /// The unique, permanent id: the group and a number, for example `pull-07`.
    package var id: String
    package var group: ConformanceGroup
    /// A name of a few words, for example `release-fires`.
    package var name: String
    /// The statement.
    package var description: String
    /// The result that the case expects, in words.
    package var expectation: String
    /// The section that contains the statement, for example `docs/protocol.md#states`.
    package var reference: String
    package var level: Level
    /// The optional features that the case needs.
    package var requirements: [ServerRequirement]
    /// The minimum duration of the case if it is long, in milliseconds. 0 for a short case.
    package var durationMsMin: Double
    package var body: Body

    /// How strictly the statement binds a server.
    package enum Level: String, Hashable, Sendable {
        /// A server that deviates fails the case.
        case must
        /// A server that deviates still conforms, but not strictly.
        case should
        /// A deviation is reported, and the server still conforms.
        case may
    }

    /// How the server is tested.
    package enum Body: Sendable {
        /// Phases of a scenario. Each phase uses one of the case's connections.
        case script([Act])
        /// An exchange in code. Such a case cannot be a script, because it depends on the server's
        /// limits or compares values.
        case exchange(@Sendable (ConformanceSession) async throws(StepFailure) -> Void)
        /// Bytes that are sent over a raw socket.
        case probe(HandshakeProbe)
    }

    /// A phase that uses one connection.
    package struct Act: Sendable {
        /// The name of the connection. If there is no connection of this name, one is opened.
        package var connection: String
        /// The connections that are cut before the phase.
        package var cut: [String]
        package var phase: Scenario.Phase
    }
}

extension ConformanceCase {
    /// Adds the requirements that follow from the script: the features that its messages use, and
    /// `.connections` if it uses more than one connection.
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
