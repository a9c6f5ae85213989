/// A scripted session. Source: docs/scenarios.md.
package struct Scenario: Hashable, Sendable {
    /// The file's name without its ending.
    package var name: String
    package var description: String
    package var expectation: String
    package var phases: [Phase]

    package init(name: String, description: String, expectation: String, phases: [Phase]) {
        self.name = name
        self.description = description
        self.expectation = expectation
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
