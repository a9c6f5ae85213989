/// A scripted session. Source: docs/scenarios.md.
package struct Scenario: Hashable, Sendable {
    /// The file's name without its ending.
    package var name: String
    package var description: String
    package var expectation: String
    /// Those that have names, in the order in which they are declared.
    package var clients: [String]
    /// How long the whole may play.
    package var limitMs: Double
    /// How long a step may take; nil: as long as the whole.
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

    /// Steps under one name; the unit in which a failure is shown.
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
