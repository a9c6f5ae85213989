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

    @Test("logging.md lists every key of the log events")
    func keys() throws {
        let rows = LogKey.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }
        let table = "\n| key | value |\n|---|---|\n" + rows.joined() + "\n"
        try DocumentationPage.hold("keys", of: "logging.md", to: table)
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
}
