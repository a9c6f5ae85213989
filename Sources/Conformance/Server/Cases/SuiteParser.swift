internal import ScenarioKit

/// Parses a file of the conformance suite. Each case is a head and the phases of a scenario.
/// Source: docs/conformance.md.
struct SuiteParser {
    /// An error in a file of the suite, with its line.
    struct ParseError: Error, CustomStringConvertible {
        var line: Int
        var reason: String

        var description: String { "line \(line): \(reason)" }
    }

    private let group: ConformanceGroup
    /// The profiles of the page. If a message names one, the server must have it.
    private let profiles: Set<String>

    init(_ group: ConformanceGroup, profiles: Set<String>) {
        self.group = group
        self.profiles = profiles
    }

    func parse(_ text: String) throws(ParseError) -> [ConformanceCase] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].hasPrefix("case:") }
        let ends = starts.dropFirst() + [lines.endIndex]
        var cases: [ConformanceCase] = []
        for (start, end) in zip(starts, ends) {
            cases.append(try parseCase(lines[start..<end]))
        }
        return cases
    }

    private func parseCase(_ lines: ArraySlice<Substring>) throws(ParseError) -> ConformanceCase {
        var heads: [Substring: String] = [:]
        var rest = lines
        while let line = rest.first, let colon = line.firstIndex(of: ":"),
            Self.heads.contains(line[..<colon])
        {
            heads[line[..<colon]] = Self.trimmed(line[line.index(after: colon)...])
            rest = rest.dropFirst()
        }
        // Empty lines at the start keep the line numbers of errors correct.
        let padding = String(repeating: "\n", count: rest.startIndex)
        let scenario: Scenario
        do throws(ScenarioSyntaxError) {
            scenario = try ScenarioParser.parse(
                padding + rest.joined(separator: "\n"), name: "")
        } catch {
            throw ParseError(
                line: error.position.line,
                reason: "expected \(error.expected), found \(error.found)")
        }
        let mistake = { (reason: String) in ParseError(line: lines.startIndex + 1, reason: reason) }
        if let step = scenario.phases.flatMap(\.steps).first(where: { !$0.isOfOneConnection }) {
            throw ParseError(
                line: step.position.line,
                reason: "expected a step of one connection, found \(step.text)")
        }
        let words = (heads["case"] ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, Int(words[0]) != nil else {
            throw mistake("expected `case: NUMBER NAME`")
        }
        guard let anchor = heads["reference"] else { throw mistake("expected `reference:`") }
        guard let level = ConformanceCase.Level(rawValue: heads["level"] ?? "must") else {
            throw mistake("expected `level:` must, should or may")
        }
        var requirements: [ServerRequirement] = []
        for text in (heads["requires"] ?? "").split(separator: ",") {
            guard let requirement = ServerRequirement(String(text)) else {
                throw mistake("expected a requirement, found \(text)")
            }
            requirements.append(requirement)
        }
        guard let patienceMs = Double(heads["takes"] ?? "0") else {
            throw mistake("expected `takes:` and milliseconds")
        }
        var result = ConformanceCase(
            id: "\(group.rawValue)-\(words[0])", group: group, name: words[1],
            description: scenario.description, expectation: scenario.expectation,
            reference: "docs/protocol.md#\(anchor)", level: level, requirements: requirements,
            patienceMs: patienceMs, body: .script(Self.acts(of: scenario)))
        result.addImpliedRequirements(profiles: profiles)
        return result
    }

    private static let heads: Set<Substring> = ["case", "reference", "requires", "level", "takes"]

    /// Returns the acts of a case. A phase named `@b -a it comes back` is played over connection
    /// `b` after `a` has been cut.
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

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
