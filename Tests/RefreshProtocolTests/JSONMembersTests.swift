import RefreshProtocol
import Testing

@Suite("The members of a JSON object")
struct JSONMembersTests {
    private static let names: [StaticString] = ["v", "type", "payload", "a long name", "é", "\""]
    private static let limits = JSONLimits(depthMax: 12, stringBytesMax: 160)

    private func read(_ text: String) throws(FaultCode) -> JSONMembers {
        let bytes = Array(text.utf8)
        return try JSONMembers(reading: bytes, in: 0..<bytes.count, limits: Self.limits)
    }

    @Test("The members are those of the whole value, and null is the same as an absent member")
    func values() throws {
        var random = SeededGenerator("JSON members", seed: 30)
        for _ in 0..<1_000 {
            var object = JSONValue.object([])
            for name in Self.names where random.once(in: 2) {
                object["\(name)"] = try? JSONValue(
                    parsing: JSONSamples.value(&random), limits: Self.limits)
            }
            for text in [object.text, object.escapedText] {
                guard let whole = try? JSONValue(parsing: text, limits: Self.limits) else {
                    continue
                }
                let members = try read(text)
                for name in Self.names {
                    let value = whole["\(name)"]
                    try #require(
                        members.contains(name) == (value != nil && value != .null), "\(text)")
                    try #require(members.text(name) == value?.string, "\(text)")
                    try #require(members.number(name) == value?.number, "\(text)")
                    try #require(members.bool(name) == value?.bool, "\(text)")
                    let container = try members.container(name)
                    switch value {
                    case .object?, .array?: try #require(container == value, "\(text)")
                    default: try #require(container == nil, "\(text)")
                    }
                }
            }
        }
    }

    @Test("A damaged object is refused exactly if it is refused as a whole value")
    func damaged() {
        var random = SeededGenerator("damaged JSON members", seed: 31)
        for _ in 0..<3_000 {
            let bytes = JSONSamples.mutated(Array(JSONSamples.frame(&random).text.utf8), &random)
            var (whole, own): (FaultCode?, FaultCode?)
            do throws(FaultCode) {
                let value = try JSONValue(parsing: bytes, limits: Self.limits)
                if case .object = value {} else { whole = .malformedJSON }
            } catch { whole = error }
            do throws(FaultCode) {
                _ = try JSONMembers(reading: bytes, in: 0..<bytes.count, limits: Self.limits)
            } catch { own = error }
            // Repeated names in a nested object are found when it is read.
            if whole == .duplicateField { continue }
            #expect((whole == nil) == (own == nil), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "What is not one object with different names is refused",
        arguments: [
            ("", FaultCode.malformedJSON), ("[]", .malformedJSON), ("{", .malformedJSON),
            ("{}{}", .malformedJSON), (#"{"a":1,}"#, .malformedJSON), (#"{"a"}"#, .malformedJSON),
            (#"{"a":"x}"#, .malformedJSON), (#"{"a":1,"a":1}"#, .duplicateField),
            (#"{"a":1,"\u0061":1}"#, .duplicateField), (#"{"a":1e400}"#, .numberOutOfRange),
            (#"{"a":"\#(String(repeating: "x", count: 161))"}"#, .stringTooLong),
            (#"{"a":\#(String(repeating: "[", count: 13))"#, .depthExceeded),
        ])
    func refused(_ text: String, _ code: FaultCode) {
        #expect(throws: code) { try read(text) }
    }

    @Test("Names are compared by their bytes, however many there are", arguments: [0, 15, 16, 17])
    func names(before count: Int) throws {
        let others = (0..<count).map { #""n\#($0)":\#($0),"# }.joined()
        let composed = "{\(others)\"\u{E9}\":1,\"e\u{301}\":2,\"e\\u0302\":3,\"\\u00EA\":4}"
        let members = try read(composed)
        #expect(members.number("\u{E9}") == 1)
        #expect(members.number("e\u{301}") == 2)
        #expect(members.number("e\u{302}") == 3)
        #expect(members.number("\u{EA}") == 4)
        #expect(throws: FaultCode.duplicateField) { try read(#"{\#(others)"é":1,"\u00e9":2}"#) }
        #expect(throws: FaultCode.duplicateField) { try read(#"{\#(others)"x":1,"x":2}"#) }
    }

    @Test("Of many members, those with the same name are found")
    func many() throws {
        let names = (0..<100).map { #""n\#($0)":\#($0)"# }.joined(separator: ",")
        #expect(try read("{\(names)}").number("n99") == 99)
        #expect(throws: FaultCode.duplicateField) { try read(#"{\#(names),"n3":1}"#) }
        #expect(throws: FaultCode.duplicateField) { try read(#"{\#(names),"\u006e99":1}"#) }
    }

    @Test("Repeated names in a nested object are found when the object is read")
    func nested() throws {
        let members = try read(#"{"o":{"a":1,"a":2},"l":[{"b":true,"b":true}],"s":"x"}"#)
        #expect(members.text("s") == "x")
        #expect(throws: FaultCode.duplicateField) { try members.object("o") }
        #expect(throws: FaultCode.duplicateField) { try members.objects("l", countMax: 9) }
        #expect(throws: FaultCode.duplicateField) { try members.container("o") }
        #expect(try members.object("s") == nil)
        #expect(try members.objects("o", countMax: 9) == nil)
    }

    @Test("The objects of an array are read, and other elements are nil")
    func objects() throws {
        let list = try read(#"{"l":[ {"a":1} , 2, {"a": "é\n"}, [] ],"e":[]}"#)
        let objects = try #require(try list.objects("l", countMax: 9))
        #expect(objects.map { $0?.contains("a") } == [true, nil, true, nil])
        #expect(objects[0]?.number("a") == 1)
        #expect(objects[2]?.text("a") == "é\n")
        #expect(try list.objects("e", countMax: 9)?.isEmpty == true)
        #expect(try list.objects("l", countMax: 2)?.count == 2)
        let inner = try #require(try read(#"{"o":{"a":{"b":7}}}"#).object("o")?.object("a"))
        #expect(inner.number("b") == 7)
    }

    @Test("Only the range is read")
    func range() throws {
        let bytes = Array(#"xx {"a":1} {"b":2"#.utf8)
        let members = try JSONMembers(reading: bytes, in: 2..<10, limits: Self.limits)
        #expect(members.number("a") == 1)
        #expect(throws: FaultCode.malformedJSON) {
            try JSONMembers(reading: bytes, in: 2..<9, limits: Self.limits)
        }
        #expect(throws: FaultCode.malformedJSON) {
            try JSONMembers(reading: bytes, in: 2..<bytes.count, limits: Self.limits)
        }
    }
}
