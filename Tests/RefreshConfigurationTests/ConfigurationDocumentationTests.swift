import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration

/// Compares the files of docs/ with the keys of the configuration.
@Suite("Documentation of the configuration", .serialized)
struct ConfigurationDocumentationTests {
    // MARK: Generated parts

    @Test("configuration.md lists every limit with its range and default")
    func limits() throws {
        try Self.hold("limits", title: "limit", to: Self.table("limits"))
    }

    @Test("configuration.md lists every key of `drain` with its range and default")
    func drain() throws {
        try Self.hold("drain", title: "key", to: Self.table("drain"))
    }

    private static func hold(_ mark: String, title: String, to keys: [SettingsKey]) throws {
        let rows = keys.map { key in
            guard case .integer(let range) = key.shape else { return "\(key.name)\n" }
            return "| `\(key.name)` | \(key.meaning ?? "") | \(range.lowerBound) to "
                + "\(range.upperBound) | \(key.standard ?? "") |\n"
        }
        let head = "\n| \(title) | bounds | range | default |\n|---|---|---|---|\n"
        try DocumentationPage.hold(
            mark, of: "configuration.md", to: head + rows.joined() + "\n")
    }

    @Test("configuration.schema.json is generated from `ConfigurationShape`, the list of all keys")
    func schema() throws {
        let name = "configuration.schema.json"
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try Data(ConfigurationSchema.text.utf8).write(
                to: ProjectFolder.root.appending(path: "docs/\(name)"))
        } else {
            #expect(try DocumentationPage.text(of: name) == ConfigurationSchema.text)
        }
    }

    @Test("The first example of configuration.md is valid")
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

    // MARK: Written parts

    private static func table(_ name: String) -> [SettingsKey] {
        inner(ConfigurationShape.keys[name])
    }

    private static func inner(_ key: SettingsKey?) -> [SettingsKey] {
        switch key?.shape {
        case .table(let keys), .list(.table(let keys), _, _): keys
        default: []
        }
    }

    @Test("configuration.md states every key with its default, its range and its choices")
    func configurationPage() throws {
        let page = try DocumentationPage.text(of: "configuration.md")
        let keys = try KeyStatements(page, section: "Keys")
        #expect(
            keys.rows.compactMap(\.names.first) == ConfigurationShape.keys.map(\.name),
            "the page does not list the keys in the order of the file")
        keys.expect(ConfigurationShape.keys)
        for name in ["auth", "tls", "resume", "cluster", "drain", "tokens", "log", "limits"] {
            try KeyStatements(page, section: name).expect(Self.table(name))
        }
        try KeyStatements(page, section: "resume")
            .expect(Self.inner(Self.table("resume")["keys"]))
        try KeyStatements(page, section: "cluster")
            .expect(Self.inner(Self.table("cluster")["tls"]))
        try KeyStatements(page, section: "indicators").expect(ConfigurationShape.indicator)
        let http = BackendKind.http.table
        let feeds = try KeyStatements(page, section: "feeds")
        feeds.expect([FeedTable.source] + http.ofFeed.filter { FeedKeys.http[$0.name] == nil })
        feeds.expect(http.ofBackend)
        let backends = try KeyStatements(page, section: "backends")
        for key in [FeedTable.kind] + BackendKind.worker.table.ofBackend { backends.expect(key) }
    }

    @Test(
        "backends.md states every key of each kind with its default, its range and its choices",
        arguments: [
            ("file", FeedKeys.file), ("http", FeedKeys.http), ("sqlite", FeedKeys.sqlite),
            ("exec", FeedKeys.exec), ("worker", FeedKeys.worker), ("script", FeedKeys.script),
            ("script", inner(FeedKeys.script["steps"])),
            ("Cache", inner(BackendKind.demo.table.ofFeed["cache"])),
            ("Retries", inner(BackendKind.demo.table.ofBackend["retry"])),
            ("Circuit breaker", inner(BackendKind.demo.table.ofBackend["breaker"])),
            ("Calls at one time", Array(BackendKind.demo.table.ofBackend.prefix(2))),
            ("Cool-down", BackendKind.demo.table.ofFeed.filter { $0.name == "coolDownMs" }),
            ("Duplicates", BackendKind.demo.table.ofFeed.filter { $0.name == "itemKey" }),
        ])
    func backendPage(section: String, keys: [SettingsKey]) throws {
        let page = try DocumentationPage.text(of: "backends.md")
        #expect(!keys.isEmpty)
        try KeyStatements(page, section: section).expect(keys)
    }

    @Test("The table of reloads in operations.md has every key in the correct row")
    func reload() throws {
        let page = try DocumentationPage.text(of: "operations.md")
        let rows = page.split(separator: "\n").filter { line in
            ["at once", "with new views and new loads", "needs a restart"].contains {
                line.hasPrefix("| \($0) |")
            }
        }
        #expect(rows.count == 3)
        let named = Set(rows.flatMap { KeyStatements.words(of: String($0)) })
        for key in ConfigurationShape.keys {
            let isNamed = named.contains {
                $0 == key.name || $0.hasPrefix(key.name + ".")
            }
            #expect(isNamed, "\(key.name)")
        }
        let fixed = KeyStatements.words(of: String(rows[2]))
        // The row also names `tls`. Adding or removing `tls` needs a restart, but changing its
        // values does not.
        #expect(Set(fixed) == ConfigurationDifference.fixed.union(["tls"]))
        for other in rows[..<2] {
            let words = KeyStatements.words(of: String(other))
            #expect(ConfigurationDifference.fixed.isDisjoint(with: words))
        }
    }
}

/// The statements about keys in one section of a file of docs/. The statement about a key is the
/// table row that has the key in its first cell. If there is no such row, the statement consists of
/// the paragraphs and examples that contain the key.
struct KeyStatements {
    struct Row {
        let names: [String]
        let cells: [String]
        /// The cell in the column `default`. Nil if the table has no such column.
        let standard: String?
    }

    let section: String
    let rows: [Row]
    private let paragraphs: [String]

    /// Reads the section with the heading `section`, without its subsections.
    init(_ page: String, section: String) throws {
        self.section = section
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(
            lines.firstIndex { $0.hasPrefix("#") && $0.drop { $0 == "#" } == " \(section)" })
        let body = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        var rows: [Row] = []
        var column: Int?
        for line in body where line.hasPrefix("| ") {
            let cells = line.replacing("\\|", with: "/").dropFirst()
                .split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let names = Self.words(of: cells.first ?? "")
            if names.isEmpty { column = cells.firstIndex(of: "default") }
            let standard = column.flatMap { $0 < cells.count ? cells[$0] : nil }
            rows.append(Row(names: names, cells: cells, standard: standard))
        }
        self.rows = rows.filter { !$0.names.isEmpty }
        var paragraphs = [""]
        for line in body where !line.hasPrefix("|") {
            if line.isEmpty || line.hasPrefix("- ") || line.hasPrefix("  - ") {
                paragraphs.append("")
            }
            paragraphs[paragraphs.count - 1] += line + " "
        }
        self.paragraphs = paragraphs
    }

    /// Returns the words in backticks.
    static func words(of text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    func expect(_ keys: [SettingsKey]) { for key in keys { expect(key) } }

    func expect(_ key: SettingsKey) {
        if let row = rows.first(where: { $0.names.contains(key.name) }) {
            let text = row.cells.dropFirst().joined(separator: " | ")
            expectRange(of: key, in: text)
            if let standard = row.standard {
                if key.isRequired { #expect(standard.contains("required"), "\(key.name)") }
                expectDefault(of: key, in: standard)
                if key.standard == nil { #expect(Int(standard) == nil, "\(key.name)") }
            } else if text.contains("default") {
                expectDefault(of: key, in: text)
            }
        } else {
            let texts = paragraphs.filter {
                Self.words(of: $0).contains(key.name) || $0.contains("\(key.name): ")
            }
            let text = texts.joined(separator: "\n")
            #expect(!texts.isEmpty, "\(section): \(key.name) is not named")
            expectRange(of: key, in: text)
            if text.contains("default") { expectDefault(of: key, in: text) }
        }
    }

    private func expectDefault(of key: SettingsKey, in text: String) {
        guard let standard = key.standard, standard != "[]" else { return }
        let words = text.split { !($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
        #expect(
            words.contains { $0 == standard.filter { $0 != "\"" } },
            "\(section): \(key.name) has the default \(standard): \(text)")
    }

    /// If the text states a range or choices, expects that they are correct.
    private func expectRange(of key: SettingsKey, in text: String) {
        switch key.shape {
        case .integer(let range):
            let ranges = text.matches(of: /(\d+) (?:to|or) `?(\d+|limits\.\w+)`?/)
            guard !ranges.isEmpty else { return }
            let isStated = ranges.contains { match in
                Int(match.1) == range.lowerBound
                    && (Int(match.2) == range.upperBound || match.2.hasPrefix("limits."))
            }
            #expect(isStated, "\(section): \(key.name) has \(range): \(text)")
        case .choice(let names), .list(.choice(let names), _, _):
            let words = Set(Self.words(of: text))
            guard !words.isDisjoint(with: names) else { return }
            #expect(words.isSuperset(of: names), "\(section): \(key.name) has \(names): \(text)")
        default: break
        }
    }
}
