import Foundation
import RefreshProtocol
import Testing

@testable import RefreshServer

/// The tables in docs/ that are made from the code.
@Suite("Documentation")
struct ServerDocumentationTests {
    static func page(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    /// What stands between `<!-- mark: … -->` and `<!-- /mark -->`.
    static func section(_ mark: String, of page: String) throws -> String {
        let start = try #require(page.firstRange(of: "<!-- \(mark): "))
        let rest = page[start.upperBound...]
        let open = try #require(rest.firstRange(of: "-->\n"))
        let end = try #require(rest.firstRange(of: "<!-- /\(mark) -->"))
        return String(rest[open.upperBound..<end.lowerBound])
    }

    @Test("logging.md lists every message with its level")
    func messages() throws {
        let rows = LogMessage.allCases.map {
            "| \($0.level.rawValue) | `\($0.rawValue)` | \($0.meaning) |\n"
        }
        let table = "\n| level | message | meaning |\n|---|---|---|\n" + rows.joined() + "\n"
        #expect(try Self.section("messages", of: Self.page("logging.md")) == table)
    }

    @Test("logging.md lists every key")
    func keys() throws {
        let rows = LogKey.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }
        let table = "\n| key | value |\n|---|---|\n" + rows.joined() + "\n"
        #expect(try Self.section("keys", of: Self.page("logging.md")) == table)
    }

    @Test("configuration.md lists every limit with its range and default")
    func limits() throws {
        let rows = Limits.table.map { entry in
            "| `\(entry.name)` | \(entry.meaning) | \(entry.range.lowerBound) to "
                + "\(entry.range.upperBound) | \(Limits()[keyPath: entry.path]) |\n"
        }
        let table =
            "\n| limit | bounds | range | default |\n|---|---|---|---|\n" + rows.joined() + "\n"
        #expect(try Self.section("limits", of: Self.page("configuration.md")) == table)
    }

    @Test("configuration.schema.json is made of the shape of the file")
    func schema() throws {
        #expect(try Self.page("configuration.schema.json") == ConfigurationSchema.text)
    }

    @Test("operations.md names every family of the metrics")
    func metrics() throws {
        let page = try Self.page("operations.md")
        let text = MetricsPage(loops: [LoopMetrics().snapshot], startSeconds: 0).text
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let name = line.split(separator: " ")[2]
            #expect(page.contains("`\(name)`"), "\(name) is not documented")
        }
    }

    @Test("the configuration page's first example is a valid configuration")
    func example() throws {
        let page = try Self.page("configuration.md")
        let start = try #require(page.firstRange(of: "```yaml\n"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.firstRange(of: "```"))
        let file = try ConfigurationFile(
            text: String(rest[..<end.lowerBound]), path: "refreshd.yaml")
        #expect(file.feeds.map(\.name) == ["songs", "orders"])
        #expect(file.logFormat == .json)
    }
}
