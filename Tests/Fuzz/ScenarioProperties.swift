@testable import ScenarioKit

/// The properties of every text that is parsed as a scenario.
enum ScenarioProperties {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        let result = parsed(text)
        require(parsed(text) == result, "the same text is parsed equally twice")
        switch result {
        case .success(let scenario): check(scenario, of: text)
        case .failure(let error):
            require(!error.expected.isEmpty, "an error states what was expected")
            if error.position.file == nil { checkPlace(error.position, in: text) }
        }
    }

    private static func parsed(_ text: String) -> Result<Scenario, ScenarioSyntaxError> {
        do throws(ScenarioSyntaxError) {
            return .success(try ScenarioParser.parse(text, name: "fuzzed", sources: files))
        } catch {
            return .failure(error)
        }
    }

    private static func check(_ scenario: Scenario, of text: String) {
        require(!scenario.description.isEmpty, "a scenario has a description")
        require(!scenario.expectation.isEmpty, "a scenario has an expectation")
        require(!scenario.phases.isEmpty, "a scenario has a phase")
        var last = SourcePosition(line: 0, column: 0)
        for phase in scenario.phases {
            require(!phase.steps.isEmpty, "a phase has a step")
            require(phase.position > last, "the positions of the phases increase")
            last = phase.position
            for step in phase.steps { check(step, in: scenario, &last) }
        }
        checkPlace(last, in: text)
    }

    /// The files that a scenario may include: two files of steps, one of which includes the other.
    /// All other files, such as journals, are missing.
    private static let files = ScenarioSources { path throws(ScenarioSources.Unreadable) in
        guard path.hasSuffix(".steps") else { throw ScenarioSources.Unreadable("is not there") }
        return Array((path == "a.steps" ? "bye\ninclude b.steps" : "wait 1s").utf8)
    }

    private static func check(
        _ step: Step, in scenario: Scenario, _ last: inout SourcePosition
    ) {
        require(!step.text.isEmpty, "a step has a text")
        if let client = step.client {
            require(scenario.clients.contains(client), "a step's client is declared")
        }
        guard step.position.file == nil else { return }
        require(step.position > last, "the positions of the steps increase")
        last = step.position
        guard case .atOnce(let inner) = step.action else { return }
        require(!inner.isEmpty, "a block has a step")
        for step in inner {
            if case .atOnce = step.action { require(false, "a block contains no other block") }
            check(step, in: scenario, &last)
        }
    }

    /// Checks that the position is in the text, or at most one character beyond its end.
    private static func checkPlace(_ position: SourcePosition, in text: String) {
        let lines = text.unicodeScalars.reduce(into: 1) { $0 += $1 == "\n" ? 1 : 0 }
        require(
            (1...lines).contains(position.line) && position.column >= 1
                && position.column <= text.unicodeScalars.count + 1, "a position is in the text")
    }
}
