import RefreshProtocol
import Testing

/// Compares the project's JSON reader ("ours") with Foundation's. Ours may refuse more texts, for
/// the listed reasons. Ours never accepts more texts, and never reads a different value.
@Suite struct JSONDifferentialTests {
    /// The reasons for which ours may refuse a text that Foundation accepts.
    enum Refusal: String, CaseIterable {
        case depth, stringLength, duplicateName, numberRange
        /// A byte order mark, UTF-16, UTF-32.
        case encoding
        /// `[1,]`: RFC 8259 does not allow it, swift-corelibs-foundation does.
        case trailingComma
    }

    private static let limits = JSONLimits(depthMax: 12, stringBytesMax: 160)

    @Test("Both readers read generated values alike", arguments: 1...4)
    func generated(_ part: Int) {
        var random = SeededGenerator("JSON generated \(part)", seed: 100 + UInt64(part))
        var seen: [Refusal: Int] = [:]
        for _ in 0..<2_500 {
            let text = Array(JSONSamples.value(&random).utf8)
            guard compare(text, &seen) else { return }
        }
        #expect((seen[.numberRange] ?? 0) > 0, "the generator no longer reaches the bounds")
    }

    @Test("Both readers read damaged values and messages alike", arguments: 1...8)
    func damaged(_ part: Int) {
        var random = SeededGenerator("JSON damaged \(part)", seed: 200 + UInt64(part))
        var seen: [Refusal: Int] = [:]
        for _ in 0..<300 {
            let text =
                random.once(in: 2)
                ? JSONSamples.value(&random) : JSONSamples.frame(&random).text
            let bytes = Array(text.utf8)
            for _ in 0..<10 {
                guard compare(JSONSamples.mutated(bytes, &random), &seen) else { return }
            }
        }
    }

    @Test(
        "Each listed reason occurs and is distinguished from the others",
        arguments: [
            (String(repeating: "[", count: 13) + String(repeating: "]", count: 13), Refusal.depth),
            ("[\"" + String(repeating: "x", count: 161) + "\"]", .stringLength),
            (#"{"a":1,"b":{"a":1},"\u0061":2}"#, .duplicateName),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", .duplicateName), ("[1e-400]", .numberRange),
            ("-2e-324", .numberRange), ("\u{FEFF}[]", .encoding), ("1\u{0}", .encoding),
            ("[1,]", .trailingComma), (#"{"a":1 , }"#, .trailingComma),
        ])
    func listed(_ text: String, _ refusal: Refusal) {
        var seen: [Refusal: Int] = [:]
        #expect(compare(Array(text.utf8), &seen))
        #expect(seen == [refusal: 1])
    }

    @Test(
        "Both readers refuse invalid texts",
        arguments: [
            "", " ", "{", "}", "[", "]", "[}", "{]", "[1", "[1,", "[,1]", "[1 2]", "[1]]", "[1]x",
            "{\"a\"}", "{\"a\":}", "{\"a\":1", "{a:1}", "{1:1}", "{\"a\":1 \"b\":2}", "{\"a\" 1}",
            "{,}", "[,]", "'a'", "tru", "True", "nul", "nulll", "truefalse", "undefined", "\"",
            "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"", "\"\\ud800\"",
            "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\\udc00\\ud800\"", "\"\n\"",
            "\"\t\"", "\"\u{1F}\"", "\"é\u{10}\"", "\"\\n\u{1F}\"", "\"\\udc00\\udc00\"", "\"a",
            "//\n1", "1//", "/**/1", "\u{B}1", "\u{A0}1", "1;",
            "[1;2]", "\u{2028}1", "{\"a\":1}{\"b\":2}", "1 1", "\"a\" \"b\"",
        ])
    func refused(_ text: String) {
        #expect(throws: FaultCode.malformedJSON) { try JSONValue(parsing: text) }
        #expect(FoundationJSON.read(Array(text.utf8)) == nil)
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
            [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(_ sequence: [UInt8]) {
        for bytes in [[0x22] + sequence + [0x22], [0x22] + sequence, sequence] {
            #expect(throws: FaultCode.malformedJSON) { try JSONValue(parsing: bytes) }
            #expect(FoundationJSON.read(bytes) == nil)
        }
    }

    @Test("Every scalar at the bounds of a UTF-8 length is read")
    func validUTF8() throws {
        for number: UInt32 in [
            0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0xFFFFF,
            0x10FFFF,
        ] {
            let scalar = try #require(Unicode.Scalar(number))
            let text = "\"\(Character(scalar))\""
            #expect(try JSONValue(parsing: text) == .string(String(scalar)))
            #expect(FoundationJSON.read(Array(text.utf8)) == .string(String(scalar)))
        }
    }

    /// Reads the text with both readers. Counts a listed refusal, and records any other difference
    /// as an issue.
    private func compare(_ text: [UInt8], _ seen: inout [Refusal: Int]) -> Bool {
        let theirs = FoundationJSON.read(text)
        do throws(FaultCode) {
            let ours = try JSONValue(parsing: text, limits: Self.limits)
            guard let theirs else { return report("only `JSONValue` accepts the text", text) }
            guard FoundationJSON.agree(ours.sorted, theirs) else {
                return report("\(ours) is not \(theirs)", text)
            }
        } catch {
            guard theirs != nil else { return true }
            guard let refusal = classify(error, text) else {
                return report("only `JSONValue` rejects the text: \(error)", text)
            }
            seen[refusal, default: 0] += 1
        }
        return true
    }

    private func classify(_ fault: FaultCode, _ text: [UInt8]) -> Refusal? {
        let facts = JSONTextFacts(text)
        switch fault {
        case .depthExceeded: return facts.depth > Self.limits.depthMax ? .depth : nil
        case .stringTooLong:
            return facts.longestString > Self.limits.stringBytesMax ? .stringLength : nil
        case .duplicateField: return facts.hasDuplicateName ? .duplicateName : nil
        case .numberOutOfRange: return facts.hasNumberOutOfRange ? .numberRange : nil
        case .malformedJSON:
            if facts.isOtherEncoding { return .encoding }
            return facts.hasTrailingComma ? .trailingComma : nil
        default: return nil
        }
    }

    private func report(_ difference: String, _ text: [UInt8]) -> Bool {
        Issue.record("\(difference): \(String(decoding: text, as: UTF8.self)) \(text)")
        return false
    }
}
