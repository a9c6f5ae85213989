import RefreshProtocol
import Testing

/// Tests the search for members that the daemon ignores in a message. Source: docs/protocol.md,
/// "Diagnostics".
@Suite("Ignored members of a message")
struct MessageInspectorTests {
    struct Case: CustomTestStringConvertible {
        var frame: String
        /// The code, the path and, after `?`, the suggestion of each finding.
        var findings: [String]
        var testDescription: String { frame }
    }

    static let cases = [
        Case(
            frame: #"{"type":"scroll","seq":1,"view":"a","offset":0,"phase":"began","velocty":3}"#,
            findings: ["unknownField velocty?velocity"]),
        Case(
            frame:
                #"{"type":"pan","seq":1,"view":"a","translation":0,"phase":"began","edge":"top"}"#,
            findings: ["unknownField edge"]),
        Case(
            frame:
                #"{"type":"attach","seq":1,"view":"a","profile":"default","botom":{},"top":{"triger":"reach"}}"#,
            findings: ["unknownField botom?bottom", "unknownOption top.triger?trigger"]),
        Case(
            frame:
                #"{"type":"attach","seq":1,"view":"a","profile":"default","top":{"floor":{"length":90,"lenght":1}}}"#,
            findings: ["unknownOption top.floor.lenght?length"]),
        Case(
            frame:
                #"{"type":"configure","seq":1,"view":"a","profile":"uikit","top":{"role":"refresh","state":"idle"}}"#,
            findings: [
                "notConfigurable profile", "notConfigurable top.role", "notConfigurable top.state",
            ]),
        Case(
            frame:
                #"{"type":"attach","seq":1,"view":"a","profile":"default","top":{"role":"refresh"}}"#,
            findings: ["unknownOption top.role"]),
        Case(
            frame:
                #"{"type":"configure","seq":1,"view":"a","pan":{"style":"page"},"paging":{"page_size":5}}"#,
            findings: ["unknownOption pan.style", "unknownOption paging.page_size"]),
        Case(
            frame:
                #"{"type":"geometry","seq":1,"view":"a","insets":{"tpo":3},"bars":{"search":{"hight":1}},"Offset":2}"#,
            findings: [
                "unknownField insets.tpo?top", "unknownField bars.search.hight?height",
                "unknownField Offset?offset",
            ]),
        Case(
            frame:
                #"{"type":"hello","protocol":1,"snapshot":true,"frames":{"mod":"plain"},"resume":{"session":"a","token":"b","tokn":1}}"#,
            findings: [
                "unknownField snapshot?snapshots", "unknownOption frames.mod?mode",
                "unknownField resume.tokn?token",
            ]),
        Case(
            frame: #"{"type":"ping","t":1,"unlike anything":{"deep":[{"x":1}]}}"#,
            findings: ["unknownField unlike anything"]),
        Case(
            frame:
                #"{"type":"attach","seq":1,"view":"a","profile":"default","feed":"f","parameters":{"whatever":"1"},"top":null}"#,
            findings: []),
        Case(
            frame: #"{"type":"refresh","seq":1,"view":"a","x\ny\u0007<\u202e>":1}"#,
            findings: ["unknownField x?y?<?>"]),
        Case(
            frame:
                #"{"type":"refresh","seq":1,"view":"a","\#(String(repeating: "n", count: 500))":1}"#,
            findings: ["unknownField \(String(repeating: "n", count: 32))..."]),
    ]

    private static func inspector(_ frame: String, most: Int = 10) throws -> MessageInspector {
        let type = try JSONValue(parsing: frame)["type"]?.string
        return MessageInspector(
            try #require(type.flatMap(MessageType.init)), in: Array(frame.utf8).span, at: 0, seq: 7,
            most: most)
    }

    @Test("An ignored member is found with its path and a suggestion", arguments: cases)
    func found(_ one: Case) throws {
        let inspector = try Self.inspector(one.frame)
        let told = inspector.diagnostics.map { finding in
            "\(finding.code) \(finding.field ?? "")"
                + (finding.suggestion.map { "?\($0)" } ?? "")
        }
        #expect(told == one.findings)
        #expect(inspector.count == one.findings.count)
        #expect(inspector.diagnostics.allSatisfy { $0.seq == 7 })
    }

    @Test("The decoder counts the ignored members without the inspector", arguments: cases)
    func counted(_ one: Case) {
        var decoder = MessageDecoder(limits: Limits())
        let outcomes = decoder.outcomes(of: Array(one.frame.utf8))
        #expect(outcomes.first?.message != nil, "\(outcomes)")
        let ignored = decoder.consumeIgnored()
        var expected = one.findings.count
        // The decoder does not check `scroll` and `pan` for fields of other messages.
        if one.frame.contains(#""type":"pan""#) { expected = 0 }
        #expect(
            ignored.unknownFields + ignored.unknownOptions + ignored.notConfigurable == expected,
            "\(ignored)")
        let isRest = decoder.hasIgnored
        #expect(!isRest)
    }

    @Test(
        "A message with exactly its permitted fields has no findings",
        arguments: MessageRule.all)
    func full(_ rule: MessageRule) throws {
        var random = SeededGenerator("inspected \(rule.type)", seed: 9)
        for _ in 0..<20 {
            let frame = rule.full(&random).text
            #expect(try Self.inspector(frame).diagnostics == [], "\(frame)")
            var decoder = MessageDecoder(limits: Limits(), features: .all)
            _ = decoder.outcomes(of: Array(frame.utf8))
            let ignored = decoder.consumeIgnored()
            #expect(ignored.isEmpty, "\(frame): \(ignored)")
        }
    }

    @Test("The ignored members of a hello with a long snapshot are counted once")
    func longHello() {
        let long = String(repeating: "s", count: 3000)
        let frame =
            #"{"type":"hello","protocol":1,"snapshots":true,"odd":1,"resume":{"session":"a","token":"b","snapshot":"\#(long)"}}"#
        for text in [frame, "[\(frame)]"] {
            var decoder = MessageDecoder(limits: Limits())
            let outcomes = decoder.outcomes(of: Array(text.utf8))
            #expect(outcomes.first?.message != nil)
            let ignored = decoder.consumeIgnored()
            #expect(ignored.unknownFields == 1)
        }
    }

    @Test("If there are many findings, the first are kept and all are counted")
    func most() throws {
        let members = (0..<50).map { #""odd\#($0)":\#($0)"# }.joined(separator: ",")
        let inspector = try Self.inspector(#"{"type":"bye",\#(members)}"#, most: 3)
        #expect(inspector.diagnostics.map(\.field) == ["odd0", "odd1", "odd2"])
        #expect(inspector.count == 50)
    }

    @Test("Each finding in `views` has the name of its view")
    func views() throws {
        let inspector = try Self.inspector(
            #"{"type":"hello","protocol":1,"views":[{"view":"a","profile":"default","x":1},"#
                + #"{"profile":"default","top":{"y":1},"view":"b"},null]}"#)
        #expect(inspector.diagnostics.map(\.view) == [ViewID("a"), ViewID("b")])
        #expect(inspector.diagnostics.map(\.field) == ["x", "top.y"])
    }

    @Test("A frame that is not a message has no findings and causes no trap")
    func odd() {
        for text in [
            "", "{", "[]", "null", #"{"view""#, #"{"view":"#, #"{"x":[[[["#, #"{"views":[{"#,
        ] {
            for type in MessageType.allCases {
                let inspector = MessageInspector(type, in: Array(text.utf8).span, at: 0, most: 5)
                #expect(inspector.diagnostics.count <= 1)
            }
        }
    }
}
