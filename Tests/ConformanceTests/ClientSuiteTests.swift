import Conformance
import Foundation
import Testing

/// The suite for clients itself; that each mistake of a client is caught is the check `clients`.
@Suite("The conformance suite for clients")
struct ClientSuiteTests {
    @Test(
        "It has at least 40 cases in every group there is, each with a number and a name of its own"
    )
    func cases() {
        let cases = ClientSuite.cases
        #expect(cases.count >= 40)
        #expect(Set(cases.map(\.id)).count == cases.count)
        #expect(Set(cases.map(\.name)).count == cases.count)
        #expect(Set(cases.map(\.group)) == Set(ClientGroup.allCases))
        for subject in cases {
            #expect(!subject.description.isEmpty && !subject.expectation.isEmpty)
        }
    }

    @Test("Every reference is a section of its page")
    func references() throws {
        let known = try PageAnchors.of("docs/protocol.md")
        for subject in ClientSuite.cases {
            let section = String(subject.reference.split(separator: "#").last ?? "")
            #expect(known.contains(section), "\(subject.id): \(subject.reference)")
        }
    }

    @Test("Every ability and every group is named in the page that drivers are written by")
    func page() throws {
        let page = try PageAnchors.text("docs/conformance.md")
        for ability in ClientAbility.allCases {
            #expect(page.contains("`\(ability.rawValue)`"), "\(ability.rawValue)")
        }
    }

    @Test("Cases are chosen by group, number, name and form")
    func choice() {
        let one = ClientSuite.cases(inGroups: [], matching: ["token-rotates"])
        #expect(one.map(\.id) == ["comeback-02"])
        let some = ClientSuite.cases(inGroups: [.closing], matching: ["stays-away-*"])
        #expect(some.count == 7)
        #expect(ClientSuite.cases(inGroups: [.closing], matching: ["hello-first"]).isEmpty)
    }
}
