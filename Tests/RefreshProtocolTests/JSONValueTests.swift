import RefreshProtocol
import Testing

@Suite struct JSONValueTests {
    @Test("A value is written as the shortest JSON text")
    func writes() {
        let value = JSONValue.object([
            JSONValue.Member("a", .array([.null, .bool(true), .bool(false), .number(-0.5)])),
            JSONValue.Member("", .object([])), JSONValue.Member("e", .array([])),
            JSONValue.Member("q\"\\", .string("line\nreturn\rtab\t\u{0}\u{1F}\u{7F}é😀/")),
        ])
        #expect(
            value.text
                == #"{"a":[null,true,false,-0.5],"":{},"e":[],"q\"\\":"line\nreturn\rtab\t"#
                + #"\u0000\u001f"# + "\u{7F}é😀/\"}")
    }

    @Test("Parsing the plain or the escaped text of a value gives the same value")
    func roundTrip() throws {
        var random = SeededGenerator("JSONValue round trip", seed: 10)
        for _ in 0..<2_000 {
            let value = JSONSamples.frame(&random)
            try #require(JSONValue(parsing: value.text) == value, "\(value.text)")
            try #require(JSONValue(parsing: value.escapedText) == value, "\(value.escapedText)")
        }
    }

    @Test("Members are found by name and by type")
    func lookup() throws {
        let value = try JSONValue(parsing: #" { "n" : 1.5, "s":"x","b":true,"a":[null],"o":{} } "#)
        #expect(value["n"]?.number == 1.5)
        #expect(value["s"]?.string == "x")
        #expect(value["b"]?.bool == true)
        #expect(value["a"]?.array == [.null])
        #expect(value["o"] == .object([]))
        #expect(value["z"] == nil)
        #expect(value["n"]?.string == nil && value["s"]?.number == nil && value["n"]?.bool == nil)
        #expect(value["n"]?.array == nil && value["n"]?["x"] == nil)
    }

    @Test("Nesting up to the limit is read, deeper nesting is refused", arguments: [1, 4, 16, 64])
    func depth(_ depthMax: Int) throws {
        let limits = JSONLimits(depthMax: depthMax, stringBytesMax: 10)
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + (open == "[" ? "" : "1")
                    + String(repeating: close, count: depth)
            }
            _ = try JSONValue(parsing: nested(depthMax), limits: limits)
            #expect(throws: FaultCode.depthExceeded) {
                try JSONValue(parsing: nested(depthMax + 1), limits: limits)
            }
            #expect(throws: FaultCode.depthExceeded) {
                try JSONValue(parsing: nested(100_000), limits: limits)
            }
        }
    }

    @Test("A string up to the limit is read, a longer one is refused", arguments: ["x", "é", "😀"])
    func stringLength(_ character: String) throws {
        let size = character.utf8.count
        let limits = JSONLimits(depthMax: 4, stringBytesMax: 8 * size)
        let longest = String(repeating: character, count: 8)
        for shape in ["\"%\"", "{\"%\":1}", "[\"%\"]", "{\"a\":\"%\"}"] {
            _ = try JSONValue(parsing: shape.replacing("%", with: longest), limits: limits)
            #expect(throws: FaultCode.stringTooLong) {
                try JSONValue(parsing: shape.replacing("%", with: longest + "x"), limits: limits)
            }
        }
    }

    @Test("A byte that cannot stand in a string is noticed at each position, and so is the end")
    func stringBytes() {
        let content = [UInt8](repeating: 0x61, count: 20)
        for position in content.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = content
                changed[position] = byte
                let isPlain = (0x20..<0x80).contains(byte) && byte != 0x22 && byte != 0x5C
                let value = try? JSONValue(parsing: [0x22] + changed + [0x22])
                #expect((value != nil) == isPlain, "\(byte) at \(position)")
                if isPlain { #expect(value?.string.map { Array($0.utf8) } == changed) }
            }
            #expect((try? JSONValue(parsing: [0x22] + content.prefix(position))) == nil)
        }
    }

    @Test("Each repetition of a name is noticed, in small and in large objects")
    func manyMembers() throws {
        for count in 1...40 {
            let members = (0..<count).map { #""name \#($0)":\#($0)"# }
            let value = try JSONValue(parsing: "{\(members.joined(separator: ","))}")
            #expect(value["name \(count - 1)"]?.number == Double(count - 1))
            for name in 0..<count {
                let repeated = members + [#""name \#(name)":0"#]
                #expect(throws: FaultCode.duplicateField) {
                    try JSONValue(parsing: "{\(repeated.joined(separator: ","))}")
                }
            }
        }
    }

    @Test("A name that occurs twice in one object is refused, even if it has escapes")
    func duplicates() throws {
        for text in [#"{"a":1,"a":1}"#, #"[{"a":{},"b":2,"\u0061":3}]"#, #"{"x":{"":1,"":2}}"#] {
            #expect(throws: FaultCode.duplicateField) { try JSONValue(parsing: text) }
        }
        _ = try JSONValue(parsing: #"{"a":{"a":{"a":1}},"A":[{"a":1},{"a":1}]}"#)
    }

    @Test("In a frame of the daemon, the last member of a name counts, and has the first place")
    func repeatedMembers() throws {
        for (text, expected) in [
            (#"{"a":1,"b":2,"a":3,"c":4,"b":5,"c":6,"a":7}"#, #"{"a":7,"b":5,"c":6}"#),
            (#"{"a":1,"\u0061":2,"b":{"x":1,"x":2}}"#, #"{"a":2,"b":{"x":2}}"#),
            // Names with other bytes are other names.
            ("{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{E9}\":3}", "{\"\u{E9}\":3,\"e\u{301}\":2}"),
        ] {
            let value = try JSONValue(parsing: text, limits: .frameOfDaemon)
            #expect(Array(value.text.utf8) == Array(expected.utf8))
        }
    }

    @Test("Repeated members are read about as fast as others")
    func repeatedMembersAreFast() throws {
        let count = 10_000
        func time(_ names: [Int]) throws -> Duration {
            let text = "{" + names.map { #""name\#($0)":0"# }.joined(separator: ",") + "}"
            let bytes = Array(text.utf8)
            return try (0..<3).map { _ in
                try ContinuousClock().measure {
                    _ = try JSONValue(parsing: bytes, limits: .frameOfDaemon)
                }
            }.min() ?? .zero
        }
        let distinct = try time(Array(0..<2 * count))
        let repeated = try time(Array(0..<count) + Array(0..<count))
        // A search for each repeated name takes hundreds of times as long.
        #expect(repeated < distinct * 20, "\(repeated), \(distinct)")
    }
}
