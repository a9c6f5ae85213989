import Foundation
import RefreshProtocol
import Testing

@testable import RefreshServer

/// The tables in docs/ that are made from the code; `REGENERATE_DOCS=1 swift test --filter
/// ServerDocumentationTests` makes them.
@Suite("Documentation", .serialized)
struct ServerDocumentationTests {
    private static func file(_ name: String) -> URL {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        return root.appendingPathComponent("docs/\(name)")
    }

    static func page(_ name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8)
    }

    /// Writes the page if that was asked for; the tests of one page must not do so at one time.
    private static func write(_ text: String, to name: String) throws {
        guard ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" else { return }
        try text.write(to: file(name), atomically: true, encoding: .utf8)
    }

    /// The table at the mark is this one.
    private static func hold(_ table: String, at mark: String, of name: String) throws {
        let page = try page(name)
        let old = try section(mark, of: page)
        if old != table { try write(page.replacing(old, with: table), to: name) }
        #expect(try section(mark, of: Self.page(name)) == table)
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
        try Self.hold(table, at: "messages", of: "logging.md")
    }

    @Test("logging.md lists every key")
    func keys() throws {
        let rows = LogKey.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }
        let table = "\n| key | value |\n|---|---|\n" + rows.joined() + "\n"
        try Self.hold(table, at: "keys", of: "logging.md")
    }

    @Test("configuration.md lists every limit with its range and default")
    func limits() throws {
        let rows = Limits.table.map { entry in
            "| `\(entry.name)` | \(entry.meaning) | \(entry.range.lowerBound) to "
                + "\(entry.range.upperBound) | \(Limits()[keyPath: entry.path]) |\n"
        }
        let table =
            "\n| limit | bounds | range | default |\n|---|---|---|---|\n" + rows.joined() + "\n"
        try Self.hold(table, at: "limits", of: "configuration.md")
    }

    @Test("configuration.schema.json is made of the shape of the file")
    func schema() throws {
        let name = "configuration.schema.json"
        if try Self.page(name) != ConfigurationSchema.text {
            try Self.write(ConfigurationSchema.text, to: name)
        }
        #expect(try Self.page(name) == ConfigurationSchema.text)
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
