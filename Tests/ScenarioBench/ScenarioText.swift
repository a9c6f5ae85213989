package import ScenarioKit

/// A scenario whose only phase contains `steps`.
package func scenario(_ steps: String) throws(ScenarioSyntaxError) -> Scenario {
    try ScenarioParser.parse(
        "description: d\nexpectation: e\n\n# phase\n\(steps)\n", name: "test")
}
