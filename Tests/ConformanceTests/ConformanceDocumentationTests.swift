import Conformance
import Foundation
import Testing

// The tests run one after the other, because both can write to the same file.
@Suite("The lists in docs/conformance.md", .serialized)
struct ConformanceDocumentationTests {
    @Test("docs/conformance.md lists every case; REGENERATE_DOCS=1 writes the list")
    func list() throws {
        try check("cases", Self.cases)
    }

    @Test("docs/conformance.md lists every case for clients; REGENERATE_DOCS=1 writes the list")
    func clientList() throws {
        try check("client cases", Self.clientCases)
    }

    private func check(_ list: String, _ wanted: String) throws {
        let path = "docs/conformance.md"
        var page = try PageAnchors.text(path)
        let current = page
        let mark = try #require(page.firstRange(of: "<!-- \(list): "))
        let open = try #require(page[mark.upperBound...].firstRange(of: "-->\n"))
        let close = try #require(page.firstRange(of: "<!-- /\(list) -->"))
        page.replaceSubrange(open.upperBound..<close.lowerBound, with: wanted)
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try page.write(to: PageAnchors.file(path), atomically: true, encoding: .utf8)
        } else {
            #expect(page == current, "run REGENERATE_DOCS=1 swift test --filter Documentation")
        }
    }

    private static var cases: String {
        let count = ConformanceSuite.cases.count
        let groups = ConformanceGroup.allCases.map { group in
            let rows = ConformanceSuite.cases.filter { $0.group == group }.map {
                row($0.statement)
            }
            return "### \(group.rawValue)\n\n| case | states | where |\n|---|---|---|\n"
                + rows.joined(separator: "\n")
        }
        return "\(count) cases.\n\n" + groups.joined(separator: "\n\n") + "\n"
    }

    private static var clientCases: String {
        let rows = ClientSuite.cases.map { row($0.statement) }
        return "\(rows.count) cases.\n\n| case | states | where |\n|---|---|---|\n"
            + rows.joined(separator: "\n") + "\n"
    }

    private static func row(_ subject: ConformanceStatement) -> String {
        let place = subject.reference.dropFirst("docs/".count)
        let section = place.split(separator: "#").last ?? place
        let needs = subject.requirements.filter { $0 != "a server over sockets" }
        let note = needs.isEmpty ? "" : " Needs \(needs.joined(separator: ", "))."
        let states = (subject.description + note).replacing("|", with: "\\|")
        return "| `\(subject.id)` | \(states) | [\(section)](\(place)) |"
    }
}
