internal import ScenarioKit

/// Parses a file of the conformance suite. Each case consists of headers and the phases of a
/// scenario. Source: docs/conformance.md, "Writing cases".
struct SuiteParser {
    private let group: ConformanceGroup
    /// The profiles in docs/protocol.md. If a message names a profile, the case requires this
    /// profile.
    private let profiles: Set<String>

    init(_ group: ConformanceGroup, profiles: Set<String>) {
        self.group = group
        self.profiles = profiles
    }

    func parse(_ text: String) throws(SuiteError) -> [ConformanceCase] {
        var cases: [ConformanceCase] = []
        for entry in try SuiteEntry.entries(of: text).entries { cases.append(try parse(entry)) }
        return cases
    }

    private func parse(_ entry: SuiteEntry) throws(SuiteError) -> ConformanceCase {
        let scenario: Scenario
        do throws(ScenarioSyntaxError) {
            scenario = try ScenarioParser.parse(entry.body, name: "")
        } catch {
            throw SuiteError(error)
        }
        if let step = scenario.phases.flatMap(\.steps).first(where: { !$0.isOfOneConnection }) {
            throw SuiteError(
                line: step.position.line,
                reason: "expected a step of one connection, found \(step.text)")
        }
        var requirements: [ServerRequirement] = []
        for text in entry.requirements {
            guard let requirement = ServerRequirement(text) else {
                throw SuiteError(
                    line: entry.line, reason: "expected a requirement, found \(text)")
            }
            requirements.append(requirement)
        }
        var result = ConformanceCase(
            id: "\(group.rawValue)-\(entry.number)", group: group, name: entry.name,
            description: scenario.description, expectation: scenario.expectation,
            reference: entry.reference, level: entry.level, requirements: requirements,
            durationMsMin: entry.durationMsMin, body: .script(Self.acts(of: scenario)))
        result.addImpliedRequirements(profiles: profiles)
        return result
    }

    /// Returns the acts of a case. The name of a phase can contain commands for connections. For
    /// example, the phase `@b -a it comes back` first cuts the connection `a`, and then runs over
    /// the connection `b`.
    private static func acts(of scenario: Scenario) -> [ConformanceCase.Act] {
        var connection = "client"
        return scenario.phases.map { phase in
            var phase = phase
            var words = phase.name.split(separator: " ")[...]
            var cut: [String] = []
            if let first = words.first, first.hasPrefix("@") {
                connection = String(first.dropFirst())
                words = words.dropFirst()
                while let word = words.first, word.hasPrefix("-") {
                    cut.append(String(word.dropFirst()))
                    words = words.dropFirst()
                }
                phase.name = words.joined(separator: " ")
            }
            return ConformanceCase.Act(connection: connection, cut: cut, phase: phase)
        }
    }
}
