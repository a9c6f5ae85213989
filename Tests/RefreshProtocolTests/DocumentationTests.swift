import Foundation
import RefreshProtocol
import Testing

/// Compares the tables of docs/protocol.md with the registries of messages, faults, close codes,
/// diagnostics and limits. `REGENERATE_DOCS=1 swift test --filter
/// DocumentationTests` writes the tables instead.
@Suite struct DocumentationTests {
    /// docs/protocol.md, in a folder beside the Tests folder.
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/protocol.md")

    private static let tables = [
        ("faults", RegistryTables.faults), ("closes", RegistryTables.closeCodes),
        ("diagnostics", RegistryTables.diagnostics),
        ("standard-closes", RegistryTables.standardCloseCodes),
        ("limits", RegistryTables.limits),
    ]

    @Test("The generated tables of docs/protocol.md equal the registries")
    func tablesAreCurrent() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let regenerates = ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1"
        for (name, table) in Self.tables {
            let range = try #require(Self.range(of: name, in: text), "no markers for \(name)")
            if regenerates {
                text.replaceSubrange(range, with: table)
            } else {
                #expect(
                    text[range] == table,
                    "\(name): run REGENERATE_DOCS=1 swift test --filter DocumentationTests")
            }
        }
        if regenerates { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
    }

    @Test("No cell of a table contains a bar, which would end the cell")
    func cellsHoldNoBars() {
        for (name, table) in Self.tables {
            let widths = Set(
                table.split(separator: "\n").map { line in line.count { $0 == "|" } })
            #expect(widths.count == 1, "\(name)")
        }
    }

    @Test("docs/protocol.md lists exactly the message types and fields of `MessageRule`")
    func catalogueIsDocumented() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let section = try #require(
            text.split(separator: "\n## ").first { $0.hasPrefix("Messages of the client") })
        let table = try #require(section.components(separatedBy: "\n### ").first)
        var documented: [String: Set<String>] = [:]
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let fields = Self.fields(of: cells[1])
            for type in Self.words(of: cells[0].replacing("`", with: "")) {
                documented[type] = fields
            }
        }
        let catalogued = MessageRule.all.map { rule in
            let names = rule.fields.map { $0.isRequired ? "*" + $0.name : $0.name }
            return (
                rule.type.rawValue,
                Set(names).subtracting(["generation"])
                    .union(Self.fieldsOfFeatures[rule.type] ?? [])
            )
        }
        #expect(documented == Dictionary(uniqueKeysWithValues: catalogued))
    }

    /// The fields that only clients with features may set.
    private static let fieldsOfFeatures: [MessageType: Set<String>] = [
        .hello: ["features"], .attach: ["initial"],
        .configure: ["parameters", "debounceMs", "shown"],
        .geometry: ["visible"], .scroll: ["visible"],
    ]

    /// The fields in a table cell. `generation` is left out, because every message about a view may
    /// contain it. Required fields, which are bold, get a star.
    private static func fields(of cell: String) -> Set<String> {
        var fields: Set<String> = []
        for (index, part) in cell.components(separatedBy: "**").enumerated() {
            let star = index.isMultiple(of: 2) ? "" : "*"
            fields.formUnion(words(of: part).map { star + $0 })
        }
        return fields.subtracting(["generation"])
    }

    private static func words(of text: String) -> [String] {
        text.split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// The range between a table's markers.
    private static func range(of name: String, in text: String) -> Range<String.Index>? {
        guard let begin = text.range(of: "<!-- \(name):"),
            let head = text.range(of: "-->\n", range: begin.upperBound..<text.endIndex),
            let end = text.range(of: "<!-- /\(name) -->", range: head.upperBound..<text.endIndex)
        else { return nil }
        return head.upperBound..<end.lowerBound
    }
}
