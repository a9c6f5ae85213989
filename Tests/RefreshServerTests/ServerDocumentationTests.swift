import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// The tables in docs/ that are generated from the code.
@Suite("Documentation", .serialized)
struct ServerDocumentationTests {
    @Test("logging.md lists every message with its level")
    func messages() throws {
        let rows = LogMessage.allCases.map {
            "| \($0.level.rawValue) | `\($0.rawValue)` | \($0.meaning) |\n"
        }
        let table = "\n| level | message | meaning |\n|---|---|---|\n" + rows.joined() + "\n"
        try DocumentationPage.hold("messages", of: "logging.md", to: table)
    }

    @Test("logging.md lists every key")
    func keys() throws {
        let rows = LogKey.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }
        let table = "\n| key | value |\n|---|---|\n" + rows.joined() + "\n"
        try DocumentationPage.hold("keys", of: "logging.md", to: table)
    }

    @Test("configuration.md lists every limit with its range and default")
    func limits() throws {
        let rows = Limits.all.map { entry in
            "| `\(entry.name)` | \(entry.meaning) | \(entry.range.lowerBound) to "
                + "\(entry.range.upperBound) | \(Limits()[keyPath: entry.path]) |\n"
        }
        let table =
            "\n| limit | bounds | range | default |\n|---|---|---|---|\n" + rows.joined() + "\n"
        try DocumentationPage.hold("limits", of: "configuration.md", to: table)
    }

    @Test("configuration.schema.json is generated from the shape of the configuration file")
    func schema() throws {
        let name = "configuration.schema.json"
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try Data(ConfigurationSchema.text.utf8).write(
                to: ProjectFolder.root.appending(path: "docs/\(name)"))
        } else {
            #expect(try DocumentationPage.text(of: name) == ConfigurationSchema.text)
        }
    }

    @Test("operations.md names every metric family")
    func metrics() throws {
        let page = try DocumentationPage.text(of: "operations.md")
        let text = MetricsPage(loops: [LoopMetrics().snapshot], startSeconds: 0).text
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let name = line.split(separator: " ")[2]
            #expect(page.contains("`\(name)`"), "\(name) is not documented")
        }
    }

    @Test("The first example of the configuration page is valid")
    func example() throws {
        let page = try DocumentationPage.text(of: "configuration.md")
        let start = try #require(page.firstRange(of: "```yaml\n"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.firstRange(of: "```"))
        let file = try ConfigurationFile(
            text: String(rest[..<end.lowerBound]), path: "refreshd.yaml")
        #expect(file.feeds.map(\.name) == ["songs", "orders"])
        #expect(file.logFormat == .json)
    }
}
