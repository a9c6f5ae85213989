package import Foundation
internal import Testing

/// The project's folder.
package enum ProjectFolder {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}

/// The files in docs/, and their parts that are generated from the code.
package enum DocumentationPage {
    package static func text(of name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8)
    }

    /// Returns the text between `<!-- mark: … -->` and `<!-- /mark -->`.
    package static func section(_ mark: String, of page: String) throws -> String {
        let start = try #require(page.firstRange(of: "<!-- \(mark): "))
        let rest = page[start.upperBound...]
        let open = try #require(rest.firstRange(of: "-->\n"))
        let end = try #require(rest.firstRange(of: "<!-- /\(mark) -->"))
        return String(rest[open.upperBound..<end.lowerBound])
    }

    /// Requires that the part `mark` of the file equals `table`. With REGENERATE_DOCS=1, replaces
    /// that part with `table`.
    package static func hold(_ mark: String, of name: String, to table: String) throws {
        let page = try text(of: name)
        let section = try section(mark, of: page)
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try Data(page.replacing(section, with: table).utf8).write(to: file(name))
        } else {
            #expect(section == table, "run REGENERATE_DOCS=1 swift test --filter Documentation")
        }
    }

    private static func file(_ name: String) -> URL {
        ProjectFolder.root.appending(path: "docs").appending(path: name)
    }
}
