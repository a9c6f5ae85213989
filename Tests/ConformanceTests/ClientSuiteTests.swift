import Conformance
import Foundation
import Testing

/// Tests the conformance suite for clients. The check `clients` verifies that this suite catches
/// mistakes of a client.
@Suite("The conformance suite for clients")
struct ClientSuiteTests {
    @Test(
        "There are at least 40 cases, some in each group, and each has a unique number and name"
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

    @Test("The files of the suite can be parsed")
    func files() {
        #expect(ClientSuite.parseErrors == [])
    }

    @Test("The cases of a group are numbered from 1 without gaps, in the order of the file")
    func numbers() {
        for group in ClientGroup.allCases {
            let ids = ClientSuite.cases.filter { $0.group == group }.map(\.id)
            let wanted = ids.indices.map { index in
                "\(group.rawValue)-\(index < 9 ? "0" : "")\(index + 1)"
            }
            #expect(ids == wanted)
        }
    }

    @Test(
        "The message for a syntax error in a client suite names the line",
        arguments: [
            ("fly list", "line 5: expected a step, found `fly`"),
            ("open\nexpect next refresh {a: }", "line 6: expected a value or a pattern, found `}`"),
            ("play nothing", "line 5: expected the name of steps above, found `nothing`"),
            ("repeat 2 {\nopen", "line 6: expected a step or `}`, found the end of the file"),
            ("open\n}", "line 6: expected a step, found `}`"),
            ("update list {ack: *}", "line 5: expected a value, found `*`"),
            ("expect no scroll", "line 5: expected `for`, found the end of the file"),
            ("close 99", "line 5: expected a close code, 1000 to 4999, found `99`"),
            ("check asked 5", "line 5: expected a variable, found `asked`"),
        ])
    func mistakes(steps: String, message: String) {
        let text = "case: 01 a-name\nreference: hello\ndescription: d\nexpectation: e\n\(steps)"
        #expect {
            try ClientSuite.parse(text, of: .greeting)
        } throws: { "\($0)" == message }
    }

    @Test("The header `each` creates one case for each value, with consecutive numbers")
    func each() throws {
        let text = """
            case: 09 closed-$code
            each: code 1001 4100
            reference: hello
            description: $code.
            expectation: e
            close $code
            """
        let cases = try ClientSuite.parse(text, of: .closing)
        #expect(cases.map(\.id) == ["closing-09", "closing-10"])
        #expect(cases.map(\.name) == ["closed-1001", "closed-4100"])
        #expect(cases.map(\.description) == ["1001.", "4100."])
    }

    @Test("Every reference ends with the anchor of a section of docs/protocol.md")
    func references() throws {
        let known = try PageAnchors.of("docs/protocol.md")
        for subject in ClientSuite.cases {
            let section = String(subject.reference.split(separator: "#").last ?? "")
            #expect(known.contains(section), "\(subject.id): \(subject.reference)")
        }
    }

    @Test("docs/conformance.md names every ability that a case may require of a client")
    func page() throws {
        let page = try PageAnchors.text("docs/conformance.md")
        for ability in ClientAbility.allCases {
            #expect(page.contains("`\(ability.rawValue)`"), "\(ability.rawValue)")
        }
    }

    @Test("Cases can be selected by group, number, name and pattern")
    func choice() {
        let one = ClientSuite.cases(inGroups: [], matching: ["token-rotates"])
        #expect(one.map(\.id) == ["comeback-02"])
        let some = ClientSuite.cases(inGroups: [.closing], matching: ["stays-away-*"])
        #expect(some.count == 7)
        #expect(ClientSuite.cases(inGroups: [.closing], matching: ["hello-first"]).isEmpty)
    }
}
