import Foundation
import ScenarioKit
import Testing
import Workbench

@Suite("docs/scenarios.md")
struct ScenarioPageTests {
    @Test("The table of bounds in docs/scenarios.md matches the language")
    func bounds() throws {
        let page = try ContractFiles.text("docs/scenarios.md")
        let open = try #require(
            page.range(
                of:
                    "<!-- bounds: generated from ScenarioBounds; a test holds this table current -->\n"
            ))
        let close = try #require(page.range(of: "<!-- /bounds -->"))
        let rows = ScenarioBounds.table.map { "| \($0.bounded) | \($0.bound) |\n" }.joined()
        var current = page
        current.replaceSubrange(
            open.upperBound..<close.lowerBound, with: "| what | at most |\n|---|---|\n\(rows)")
        try ContractFiles.hold("docs/scenarios.md", to: current)
    }

    /// Returns the examples of docs/scenarios.md: the fenced texts that are neither commands nor
    /// the grammar.
    private static func examples() throws -> [String] {
        let parts = try ContractFiles.text("docs/scenarios.md").components(separatedBy: "```")
        return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }.filter {
            !$0.contains("refresh-probe") && !$0.contains("scenario  =")
        }
    }

    @Test("Every example in docs/scenarios.md can be parsed")
    func examples() throws {
        let sources = ScenarioSources { path throws(ScenarioSources.Unreadable) in
            let file = path.hasSuffix(".jsonl") ? Self.trace : "scenarios/\(path)"
            guard let text = try? ContractFiles.text(file) else {
                throw ScenarioSources.Unreadable("is not there")
            }
            return Array(text.utf8)
        }
        let examples = try Self.examples()
        #expect(examples.count >= 8)
        for example in examples {
            var text = example
            if !text.contains("description:") {
                let phase = text.contains("\n# ") ? "" : "# phase"
                text = "description: d\nexpectation: e\nclients: anna, ben\n\(phase)\(text)"
            }
            #expect(throws: Never.self, "\(example)") {
                try ScenarioParser.parse(text, name: "example", sources: sources)
            }
        }
    }

    private static let trace = "Sources/TouchTraces/Traces/impatient.stream.jsonl"

    @Test("docs/scenarios.md links only to scenarios that exist")
    func links() throws {
        let page = try ContractFiles.text("docs/scenarios.md")
        let names = page.matches(of: #/\.\.\/scenarios\/([a-z-]+)\.scenario/#).map { String($0.1) }
        #expect(names.count >= 12)
        for name in names { #expect(ScenarioFiles.names.contains(name), "\(name)") }
    }
}
