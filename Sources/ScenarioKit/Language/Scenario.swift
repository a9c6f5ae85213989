/// A scripted session. Source: docs/scenarios.md.
package struct Scenario: Hashable, Sendable {
    /// The name of the file without its extension.
    package var name: String
    package var description: String
    package var expectation: String
    /// The named clients, in the order of declaration.
    package var clients: [String]
    /// The time limit of the whole scenario.
    package var limitMs: Double
    /// The time limit of a step. If it is nil, only the limit of the scenario applies.
    package var stepLimitMs: Double?
    package var phases: [Phase]

    package init(
        name: String, description: String, expectation: String, clients: [String] = [],
        limitMs: Double = ScenarioBounds.playMs, stepLimitMs: Double? = nil, phases: [Phase]
    ) {
        self.name = name
        self.description = description
        self.expectation = expectation
        self.clients = clients
        self.limitMs = limitMs
        self.stepLimitMs = stepLimitMs
        self.phases = phases
    }

    /// A named group of steps. A report of a failure shows the whole phase.
    package struct Phase: Hashable, Sendable {
        package var name: String
        package var position: SourcePosition
        package var steps: [Step]

        package init(name: String, position: SourcePosition, steps: [Step]) {
            self.name = name
            self.position = position
            self.steps = steps
        }
    }
}
