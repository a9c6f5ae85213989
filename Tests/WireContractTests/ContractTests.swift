import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import Conformance
@testable import ScenarioKit
@testable import WireContract

/// Compares the contract (`Contract`, the definitions of all messages) with the files of docs/, the
/// decoder and the messages of the daemon. A closed schema rejects unknown members.
@Suite("The contract", .ownThread)
struct ContractTests {
    @Test("The schema, docs/asyncapi.json and docs/messages.md match the contract")
    func documents() throws {
        try ContractFiles.hold("docs/messages.md", to: MessageReference.markdown)
        try ContractFiles.hold("docs/messages.schema.json", to: Contract.schema().lines)
        try ContractFiles.hold("docs/asyncapi.json", to: AsyncAPIDocument.value.lines)
    }

    @Test("In docs/messages.md every field has a meaning, and every link has a target")
    func reference() {
        let lines = MessageReference.markdown.split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") }
        #expect(rows.count > 300)
        for row in rows { #expect(!row.hasSuffix("| |"), "without a meaning: \(row)") }
        let headings = lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
        #expect(Set(headings).count == headings.count)
        let links = MessageReference.markdown.split(separator: "](#").dropFirst()
            .map { $0.prefix { $0 != ")" } }
        let anchors = lines.filter { $0.hasPrefix("#") }.map {
            $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
        }
        #expect(Set(links.map(String.init)).subtracting(anchors) == [])
    }

    @Test("Splitting a document into lines does not change its content")
    func lines() throws {
        for document in [Contract.schema(), AsyncAPIDocument.value] {
            #expect(try JSONValue(parsing: document.lines) == document)
        }
    }

    @Test("Names in the contract are unique, and the contract has every type of client message")
    func names() {
        let names = Contract.messages.map(\.name) + Contract.definitions.map(\.name)
        #expect(Set(names).count == names.count)
        let types = Contract.messages.filter { $0.sender == .client }.map(\.type)
        #expect(Set(types) == Set(MessageType.allCases.map(\.rawValue)))
    }

    @Test(
        "Every message has examples, and all examples are valid by the closed schema",
        arguments: Speaker.allCases)
    func examples(of speaker: Speaker) throws {
        let check = MessageCheck(SchemaStyle(isClosed: true, limits: Limits()))
        for message in Contract.messages where message.sender == speaker {
            #expect(!message.examples.isEmpty, "\(message.name)")
            for example in message.examples {
                let value = try JSONValue(parsing: example)
                #expect(value[speaker.tag]?.string == message.type)
                #expect(check.violation(in: value, from: speaker) == nil, "\(example)")
            }
        }
    }

    @Test("The decoder accepts every example of a client message")
    func decodes() {
        for message in Contract.messages where message.sender == .client {
            for example in message.examples {
                var decoder = MessageDecoder(limits: Limits(), features: .all)
                var position = FramePosition()
                let bytes = Array(example.utf8)
                guard case .message = decoder.next(in: bytes.span, at: &position) else {
                    Issue.record("refused: \(example)")
                    continue
                }
            }
        }
    }

    @Test(
        "The tables of docs/protocol.md name the messages and members of the contract",
        arguments: [Speaker.client, .daemon])
    func tables(of speaker: Speaker) throws {
        let heading = speaker == .client ? "Messages of the client" : "Messages of the daemon"
        let page = try ContractFiles.text("docs/protocol.md")
        let section = try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") })
        let table = try #require(section.components(separatedBy: "\n### ").first)
        var documented: [String: Set<String>] = [:]
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|")
            for type in Self.words(of: cells[0]) {
                documented[type] = Set(Self.words(of: cells[1]))
            }
        }
        for message in Contract.messages where message.sender == speaker {
            var fields = documented[message.type]
            // `loading` has one form for each phase. The section about `loading`, and not the
            // table, describes the members of these forms.
            if message.type == "loading" { fields = fields.map { $0.union(message.fieldNames) } }
            // The members that all messages about a view have are described above the table.
            let own = message.fieldNames.subtracting(speaker == .client ? ["generation"] : [])
            #expect(
                fields?.subtracting(["…", "generation"]) == own.subtracting(["generation"]),
                "\(message.name)")
        }
        let names = Contract.messages.filter { $0.sender == speaker }.map(\.type)
        #expect(Set(documented.keys) == Set(names))
    }

    private static func words(of cell: Substring) -> [String] {
        cell.split { ", *`".contains($0) }.map(String.init)
    }

    @Test("In every scenario of the tree, all messages are valid by the closed schema")
    func scenarios() async throws {
        let check = MessageCheck(SchemaStyle(isClosed: true))
        var frames = 0
        for name in ScenarioFiles.names {
            let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
            let daemon = InProcessDaemon(
                feeds: [try SimulatedFeed.demo()] + scenario.additionalFeeds, latencyMs: 20)
            var peers: [CheckedPeer] = []
            _ = await ScenarioRunner.run(scenario) {
                peers.append(CheckedPeer(daemon.connect(), check: check))
                return peers.last
            }
            for peer in peers {
                frames += peer.frameCount
                #expect(peer.violations.isEmpty, "\(name): \(peer.violations.prefix(3))")
            }
        }
        #expect(frames > 1000)
    }

    @Test(
        "An invalid member of one form of a value is not reported as unknown to another form",
        arguments: [
            (#""path":"abc""#, "/offset/path: type \"array\""),
            (#""path":[]"#, "/offset/path: minItems 1"),
            (#""path":[["x"]]"#, "/offset/path/0/0: type \"number\""),
            (#""path":[[0,0],[1,1,1]]"#, "/offset/path/1/2: is not allowed here"),
            (
                #""path":[\#([String](repeating: "[0,0]", count: 60).joined(separator: ","))]"#,
                "/offset/path: maxItems 48"
            ),
            (#""path":[[0,0]],"curve":"linear""#, "/offset/curve: is not allowed here"),
            (#""curve":"wavy""#, #"/offset/curve: enum ["linear","easeIn","easeOut","easeInOut"]"#),
        ])
    func forms(_ members: String, _ told: String) {
        let check = MessageCheck()
        let update =
            #"{"type":"update","view":"list","ack":1,"offset":{"to":0,"duration":1,"start":1,"#
            + members + "}}"
        #expect(
            check.violations(inFrame: update, from: .daemon).map(\.description)
                == ["update: " + told])
    }

    @Test("A cancelled load cannot have a progress, and a refresh edge cannot have a mode")
    func otherForms() {
        let check = MessageCheck()
        let loading =
            #"{"type":"loading","view":"list","load":"1.1","kind":"more","phase":"cancelled","#
            + #""progress":0.5}"#
        let attached = Contract.attachedExample.replacing(
            #""role":"refresh","#, with: #""role":"refresh","mode":"limit","#)
        #expect(
            [loading, attached].flatMap { check.violations(inFrame: $0, from: .daemon) }
                .map(\.description) == [
                    "loading: /progress: is not allowed here",
                    "attached: /top/mode: is not allowed here",
                ])
    }

    @Test("A violation is reported with the message's type, the path of the value and the rule")
    func finding() {
        let check = MessageCheck(SchemaStyle(isClosed: true))
        func told(_ text: String, from speaker: Speaker = .daemon) -> [String] {
            check.violations(inFrame: text, from: speaker).map(\.description)
        }
        #expect(told(#"{"type":"draining","closes":-1}"#) == ["draining: /closes: minimum 0"])
        #expect(
            told(#"[{"type":"bye"},{"type":"draining"},{"type":"hello"}]"#) == [
                #"draining: the value: required ["type","closes"]"#,
                "hello: the value: the daemon sends no message of this type",
            ])
        #expect(told("{") == ["a message: the value: is not valid JSON"])
        #expect(told(#"{"closes":1}"#) == ["a message: /type: is missing"])
        #expect(told(#"{"type":"bye","x":1}"#) == ["bye: /x: is not allowed here"])
    }
}
