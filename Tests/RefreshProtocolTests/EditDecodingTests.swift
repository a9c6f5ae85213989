import RefreshProtocol
import Testing

/// The messages `edit` and `undo`. Source: docs/protocol.md, "Edits".
@Suite("Edits of clients on the wire")
struct EditDecodingTests {
    private func decode(_ members: String, type: String = "edit", features: ClientFeatures = .all)
        -> DecodedMessage
    {
        var decoder = MessageDecoder(limits: Limits(), features: features)
        var position = FramePosition()
        let text = Array(#"{"type":"\#(type)","view":"list","seq":7\#(members)}"#.utf8)
        return decoder.next(in: text.span, at: &position)
    }

    private func fault(_ members: String, type: String = "edit") -> [String?]? {
        guard case .fault(let fault) = decode(members, type: type) else { return nil }
        return [fault.code.rawValue, fault.fieldName]
    }

    private func fault(ofOperation operation: String) -> [String?]? {
        fault(#","edit":"aaaaaaaa","operation":\#(operation)"#)
    }

    @Test(
        "Operations of each kind with each place are accepted, byte for byte",
        arguments: [
            #"{"insert":{"id":"a"},"at":"start"}"#, #"{"insert":[1], "at":"end"}"#,
            #"{"before":1,"insert":{"id":2}}"#, #"{"insert":{},"after":"x"}"#,
            #"{"update":{"id":1}}"#, #"{"remove":"a","unknown":{}}"#, #"{"remove":7}"#,
            #"{"move":1,"at":"end"}"#, #"{"move":"a","before":"b"}"#,
        ])
    func accepted(operation: String) {
        guard
            case .message(.edit(_, let edit)) = decode(
                #","operation":\#(operation),"edit":"aaaaaaaa""#)
        else {
            Issue.record("no message")
            return
        }
        #expect(edit.operation == Array(operation.utf8) && edit.delayMs == 0)
    }

    @Test(
        "An operation of another form is a fault of its field",
        arguments: [
            "7", "[]", #""remove""#, "{}", #"{"at":"start"}"#, #"{"insert":{"id":1}}"#,
            #"{"insert":7,"at":"start"}"#, #"{"insert":{},"at":"middle"}"#,
            #"{"insert":{},"at":"start","before":1}"#, #"{"insert":null,"at":"start"}"#,
            #"{"update":{},"at":"start"}"#, #"{"remove":1,"after":2}"#, #"{"remove":{}}"#,
            #"{"remove":1,"update":{}}"#, #"{"move":1}"#, #"{"move":1,"at":null}"#,
            #"{"move":1,"before":true}"#,
        ])
    func refused(operation: String) {
        #expect(fault(ofOperation: operation) == ["invalidField", "operation"])
    }

    @Test("An operation has at most 16,384 bytes")
    func length() {
        let strings = Array(repeating: #""\#(String(repeating: "x", count: 1000))""#, count: 16)
        let start = #"{"update":["# + strings.joined(separator: ",") + #",""#
        for (count, isValid) in [(ItemEdit.operationBytesMax, true), (16_385, false)] {
            let rest = count - start.utf8.count - 3
            let operation = start + String(repeating: "y", count: max(0, rest)) + #""]}"#
            #expect(operation.utf8.count == count && rest <= 1024)
            let expected: [String?]? = isValid ? nil : ["valueOutOfRange", "operation"]
            #expect(fault(ofOperation: operation) == expected)
        }
    }

    @Test("Names have 8 to 64 characters of their alphabet, and delays are at most a minute")
    func fields() {
        let operation = #","operation":{"remove":1}"#
        let names = ["aaaaaaa", String(repeating: "a", count: 65), "aaaaaaa ", "aaaaaaaä", ""]
        for name in names {
            #expect(fault(#","edit":"\#(name)"\#(operation)"#) == ["invalidField", "edit"])
            #expect(fault(#","edit":"\#(name)""#, type: "undo") == ["invalidField", "edit"])
        }
        #expect(fault(#","edit":7\#(operation)"#) == ["invalidField", "edit"])
        #expect(fault(operation) == ["missingField", "edit"])
        #expect(fault("", type: "undo") == ["missingField", "edit"])
        #expect(fault(#","edit":"aaaaaaaa""#) == ["missingField", "operation"])
        let named = #","edit":"aaaaaaaa""# + operation
        #expect(fault(named + #","delayMs":60000"#) == nil)
        #expect(fault(named + #","delayMs":60001"#) == ["valueOutOfRange", "delayMs"])
        #expect(fault(named + #","delayMs":-1"#) == ["valueOutOfRange", "delayMs"])
        #expect(fault(named + #","delayMs":0.5"#) == ["invalidField", "delayMs"])
        #expect(fault(named + #","repeated":false"#) == nil)
        #expect(fault(named + #","repeated":null"#) == nil)
        #expect(fault(named + #","repeated":1"#) == ["invalidField", "repeated"])
        #expect(fault(named + #","edit":"bbbbbbbb""#) == ["duplicateField", nil])
        #expect(
            fault(ofOperation: #"{"remove":1,"remove":2}"#) == ["duplicateField", "operation"])
    }

    @Test("Members of `edit` and `undo` do not count as ignored, and others do")
    func ignored() {
        var decoder = MessageDecoder(limits: Limits(), features: .all)
        for (members, type, count) in [
            (
                #","edit":"aaaaaaaa","operation":{"remove":1},"delayMs":1,"repeated":true,"x":1"#,
                "edit", 1
            ),
            (#","edit":"aaaaaaaa","operation":{"remove":1}"#, "undo", 1),
            (#","edit":"aaaaaaaa""#, "undo", 0),
        ] {
            var position = FramePosition()
            let text = Array(#"{"type":"\#(type)","view":"list","seq":7\#(members)}"#.utf8)
            _ = decoder.next(in: text.span, at: &position)
            #expect(decoder.consumeIgnored().unknownFields == count)
        }
    }

    @Test("Without `patch` and `live`, the feature is not in use")
    func features() {
        for features: ClientFeatures in [[], .init(.edits), [.init(.edits), .init(.live)]] {
            let decoded = decode(
                #","edit":"aaaaaaaa","operation":{"remove":1}"#, features: features)
            guard case .fault(let fault) = decoded else {
                Issue.record("no fault")
                continue
            }
            #expect(fault.code == .unknownType)
        }
    }
}
