@testable import RefreshScenario

/// What holds for every text that is taken for a scenario.
enum ScenarioProperties {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(ScenarioSyntaxError) {
            let scenario = try ScenarioParser.parse(text, name: "fuzzed")
            require(!scenario.description.isEmpty, "a scenario has a description")
            require(!scenario.expectation.isEmpty, "a scenario has an expectation")
            require(!scenario.phases.isEmpty, "a scenario has a phase")
            var last = SourcePosition(line: 0, column: 0)
            for phase in scenario.phases {
                require(!phase.steps.isEmpty, "a phase has a step")
                require(phase.position > last, "phases stand one after another")
                last = phase.position
                for step in phase.steps {
                    require(step.position > last, "steps stand one after another")
                    require(!step.text.isEmpty, "a step has a text")
                    last = step.position
                }
            }
            checkPlace(last, in: text)
        } catch {
            require(!error.expected.isEmpty, "an error says what was expected")
            checkPlace(error.position, in: text)
        }
    }

    /// Behind the last character at most.
    private static func checkPlace(_ position: SourcePosition, in text: String) {
        let lines = text.unicodeScalars.reduce(into: 1) { $0 += $1 == "\n" ? 1 : 0 }
        require(
            (1...lines).contains(position.line) && position.column >= 1
                && position.column <= text.unicodeScalars.count + 1, "a place is in the text")
    }
}
