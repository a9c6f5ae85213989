import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The engine's documentation")
struct DocumentationTests {
    private static let docs = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs")

    /// Transitions of the state machine that docs/protocol.md omits. They occur if an edge is
    /// enabled, or a refresh ends, while the list has no further page.
    private static let awaitedInDocs: [EdgeState: Set<EdgeState>] = [
        .disabled: [.noMore], .approaching: [.noMore], .eligible: [.noMore],
    ]

    /// The diagrams in docs/engine.md. Each key is the name of a state machine.
    private static let diagrams = [
        "refresh": MachineDiagram.refresh.mermaid, "loadMore": MachineDiagram.loadMore.mermaid,
        "floor": MachineDiagram.floor.mermaid,
    ]

    @Test("The diagrams in docs/engine.md are equal to those of the state machines")
    func diagrams() throws {
        let url = Self.docs.appending(path: "engine.md")
        var page = try String(contentsOf: url, encoding: .utf8)
        let current = page
        for (name, diagram) in Self.diagrams {
            let open = try #require(page.range(of: "<!-- \(name) machine: generated -->\n"))
            let close = try #require(page.range(of: "<!-- /\(name) machine -->"))
            try #require(open.upperBound <= close.lowerBound)
            page.replaceSubrange(open.upperBound..<close.lowerBound, with: "\(diagram)\n")
        }
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try page.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(page == current, "the diagrams are outdated: run scripts/diagrams")
        }
    }

    @Test(
        "docs/engine.md lists the invariants in the words and the order of `Invariant`"
    )
    func invariants() throws {
        let url = Self.docs.appending(path: "engine.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let section = try #require(page.range(of: "\n## Invariants\n"))
        let words = page[section.upperBound...].split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let list = Invariant.allCases.enumerated().map { "\($0 + 1). \($1.rawValue)" }
        #expect(words.contains(list.joined(separator: " ")), "\(list.joined(separator: "\n"))")
    }

    @Test("The transitions in docs/protocol.md are equal to those of the state machine")
    func successors() throws {
        let url = Self.docs.appending(path: "protocol.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let tables = page.split(separator: "| state | true in it | may become |\n|---|---|---|\n")
        try #require(tables.count == 3)
        let refresh = Self.documented(in: tables[1])
        #expect(refresh.count == 9)
        for (state, successors) in refresh {
            #expect(successors == MachineDiagram.refresh.successors(of: state), "\(state)")
        }
        let loadMore = Self.documented(in: tables[2])
        #expect(loadMore.count == 8)
        for (state, successors) in loadMore {
            let known = successors.union(Self.awaitedInDocs[state] ?? [])
            #expect(known == MachineDiagram.loadMore.successors(of: state), "\(state)")
        }
    }

    /// Returns the state and its successors in each table row before the first empty line.
    private static func documented(in table: Substring) -> [EdgeState: Set<EdgeState>] {
        var states: [EdgeState: Set<EdgeState>] = [:]
        for line in table.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|").map(\.trimmed)
            guard cells.count == 3 else { break }
            guard let state = EdgeState(rawValue: cells[0].filter { $0 != "`" }) else { continue }
            let names = cells[2].split(separator: ",").compactMap { name in
                name.trimmed.split(separator: " ").first.map(String.init)
            }
            states[state] = Set(names.compactMap(EdgeState.init(rawValue:)))
        }
        return states
    }
}
