import Foundation
import RefreshEngine
import RefreshProtocol
import Testing
import Workbench

/// The options, policies, profiles and cues in docs/protocol.md must match those of the engine.
@Suite("The tables of docs/protocol.md")
struct ProtocolPageTests {
    @Test("The tables of profiles match the engine; REGENERATE_DOCS=1 writes them")
    func profiles() throws {
        var page = try DocumentationPage.text(of: "protocol.md")
        let current = page
        for (name, table) in [
            ("refresh", ProfileTables.refresh), ("loadMore", ProfileTables.loadMore),
            ("view", ProfileTables.view),
        ] {
            let mark = try #require(page.firstRange(of: "<!-- \(name) profiles: "))
            let open = try #require(page[mark.upperBound...].firstRange(of: "-->\n"))
            let close = try #require(page.firstRange(of: "<!-- /\(name) profiles -->"))
            try #require(open.upperBound <= close.lowerBound)
            page.replaceSubrange(open.upperBound..<close.lowerBound, with: table)
        }
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "docs/protocol.md")
            try page.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page == current)
        }
    }

    @Test("docs/protocol.md has one row for every option, in the order of the engine's table")
    func options() throws {
        let section = try Self.section("Profiles and edge options")
        let tables = section.components(
            separatedBy: "| option | value | meaning |\n|---|---|---|\n")
        try #require(tables.count == 3)
        #expect(
            Self.firstCells(of: tables[1])
                == RefreshOptions.entries.map(\.field.wireName) + ["floor"])
        #expect(Self.firstCells(of: tables[2]) == LoadMoreOptions.entries.map(\.field.wireName))
        let floor = try Self.section("The second floor")
            .components(separatedBy: "| option | value | default | meaning |\n|---|---|---|---|\n")
        try #require(floor.count == 2)
        #expect(Self.firstCells(of: floor[1]) == FloorOptions.entries.map(\.field.wireName))
    }

    @Test("docs/protocol.md explains every value of every policy")
    func policies() throws {
        let section = try Self.section("Policies")
        let values =
            TriggerStyle.allCases.map(\.rawValue) + ConflictPolicy.allCases.map(\.rawValue)
            + RepeatPolicy.allCases.map(\.rawValue) + ClosingPolicy.allCases.map(\.rawValue)
            + CancelPolicy.allCases.map(\.rawValue)
            + RearmPolicy.allCases.map(\.rawValue) + Intent.allCases.map(\.rawValue)
            + EvaluationTrigger.allCases.map(\.rawValue)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        for value in values {
            #expect(
                rows.contains { $0.split(separator: "|")[1].contains("`\(value)`") }, "\(value)")
        }
    }

    @Test("docs/protocol.md explains every cue, and no others")
    func cues() throws {
        let section = try Self.section("Cues")
        let table = try #require(section.components(separatedBy: "|---|---|\n").last)
        #expect(Self.firstCells(of: table) == SpokenCue.allCases.map { "\($0.key)" })
        for haptic in Haptic.allCases { #expect(section.contains("`\(haptic.rawValue)` (")) }
    }

    @Test("The transitions of a secondary page in docs/protocol.md are those of its state machine")
    func floor() throws {
        let section = try Self.section("The second floor")
        let table = try #require(
            section.components(separatedBy: "| floor state | means | may become |\n|---|---|---|\n")
                .last)
        var documented: [String: Set<String>] = [:]
        for row in table.split(separator: "\n", omittingEmptySubsequences: false) {
            guard row.hasPrefix("|") else { break }
            let cells = row.split(separator: "|").map { $0.filter { $0 != "`" && $0 != " " } }
            documented[cells[0]] = Set(cells[2].split(separator: ",").map(String.init))
        }
        var known: [String: Set<String>] = [:]
        for phase in Self.floorPhases {
            for fact in Self.floorFacts {
                let next = phase.transition(for: fact).phase.state
                if next != phase.state {
                    known[phase.state.rawValue, default: []].insert(next.rawValue)
                }
            }
        }
        #expect(documented == known)
        #expect(Set(known.keys) == Set(FloorState.allCases.map(\.rawValue)))
    }

    private static let floorPhases: [FloorPhase] = [
        .closed, .pulling(progress: 0.5), .pulling(progress: 1), .eligible, .opening, .open,
        .closing,
    ]

    private static let floorFacts: [FloorFact] = [
        .pulled(progress: 0, mayArm: true), .pulled(progress: 0.5, mayArm: true),
        .pulled(progress: 1, mayArm: true), .pulled(progress: 1, mayArm: false),
        .released(isFast: true), .released(isFast: false), .cancelled, .rested, .openRequested,
        .closeRequested, .arrived, .removed,
    ]

    /// Returns the section of that name, without its heading.
    private static func section(_ name: String) throws -> String {
        let page = try DocumentationPage.text(of: "protocol.md")
        return try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(name)\n") })
    }

    /// Returns the names in backticks in the first cells of the leading table rows of `text`. A
    /// cell may contain several names.
    private static func firstCells(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
            .flatMap { row in
                row.split(separator: "|")[0].split(separator: ",").map {
                    $0.filter { $0 != "`" && $0 != " " }
                }
            }
    }
}
