import RefreshProtocol
import Testing

/// The result of decoding a whole WebSocket frame: one message, a batch, or a fault.
@Suite struct FrameTests {
    private static let bye = Outcome.message(.bye)
    private static let malformed = Outcome.fault(Fault(.malformedJSON))

    @Test("A batch is decoded in order")
    func batchOrder() {
        let frame = #" [ {"type":"ping","t":1} , {"type":"bye"} , {"type":"ping","t":2} ] "#
        #expect(
            decode(frame) == [
                .message(.ping(time: 1)), Self.bye, .message(.ping(time: 2)),
            ])
    }

    @Test("An empty batch has no effect", arguments: ["[]", " [ \n] "])
    func emptyBatch(_ frame: String) {
        #expect(decode(frame) == [])
    }

    @Test("A faulty element does not affect the others of a batch")
    func badElement() {
        let frame = """
            [{"type":"bye"},5,[{"type":"bye"}],null,{"type":"nope","seq":3,"view":"v"},{},
             {"type":"detach","seq":4},{"type":"bye","type":"bye"},{"type":"bye"}]
            """
        #expect(
            decode(frame) == [
                Self.bye, Self.malformed, Self.malformed, Self.malformed,
                .fault(Fault(.unknownType, field: .type, seq: 3, view: "v")),
                .fault(Fault(.missingField, field: .type)),
                .fault(Fault(.missingField, field: .view, seq: 4)),
                .fault(Fault(.duplicateField)), Self.bye,
            ])
    }

    @Test(
        "A frame that is not completely well-formed gives one fault and no message",
        arguments: [
            "", " ", "{", "}", "5", "null", "true", "\"bye\"", "nonsense",
            #"{"type":"bye"} x"#, #"{"type":"bye"}{"type":"bye"}"#, #"{"type":"bye"},"#,
            #"{"type":"bye"}]"#, #"{"type":"bye",}"#, #"{"type":"bye" "t":1}"#, #"{"type":bye}"#,
            #"{"type":"bye","x":tru}"#, #"{"type":"bye","x":[1,]}"#, #"{"type":"bye","x":01}"#,
            #"{type:"bye"}"#, #"[{"type":"bye"}"#, #"[{"type":"bye"},"#, #"[{"type":"bye"},]"#,
            #"[{"type":"bye"}]]"#, #"[{"type":"bye"}] {"type":"bye"}"#, #"[{"type":"bye"} "#,
            #"[{"type":"bye"}{"type":"bye"}]"#, #"[{"type":"bye"},{"type":"bye"]"#, "[,]",
            #"[{"type":"bye"},{"type":"b\qe"}]"#, "\u{FEFF}{\"type\":\"bye\"}",
            "{\"type\":\"bye\"}\u{0}", "{\"type\":\"bye\",\"x\":\"\u{1}\"}",
        ])
    func malformedFrames(_ frame: String) {
        #expect(decode(frame) == [Self.malformed])
    }

    @Test("Bytes that are not UTF-8 are malformed, in known and unknown members")
    func invalidUTF8() {
        for text in [#"{"type":"bye","x":"%"}"#, #"{"type":"%"}"#, #"{"%":1,"type":"bye"}"#] {
            let bytes = Array(text.utf8).flatMap { $0 == 0x25 ? [0xC3, 0x28] : [$0] }
            var decoder = MessageDecoder(limits: Limits())
            #expect(decoder.outcomes(of: bytes) == [Self.malformed])
        }
    }

    @Test(
        "If a fault concerns the whole frame, no message of the batch is returned",
        arguments: [
            (#"[{"type":"bye"},{"x":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}]"#, FaultCode.depthExceeded),
            (#"[{"type":"bye"},{"x":1e999}]"#, .numberOutOfRange),
        ])
    func frameFaults(_ frame: String, _ code: FaultCode) {
        #expect(decode(frame) == [.fault(Fault(code))])
    }

    @Test("Batches up to the limit are accepted, longer ones are refused", arguments: [1, 3, 64])
    func batchLength(_ limit: Int) {
        var limits = Limits()
        limits.batchMessagesMax = limit
        func batch(_ count: Int) -> String {
            "[" + Array(repeating: #"{"type":"bye"}"#, count: count).joined(separator: ",") + "]"
        }
        #expect(decode(batch(limit), limits: limits).count == limit)
        #expect(decode(batch(limit + 1), limits: limits) == [.fault(Fault(.batchTooLong))])
    }

    @Test("Nesting up to the limit is accepted, deeper nesting is refused", arguments: [4, 16, 64])
    func depth(_ depthMax: Int) {
        var limits = Limits()
        limits.jsonDepthMax = depthMax
        func nested(_ depth: Int) -> String {
            let inner = depth - 1
            return #"{"type":"bye","x":"# + String(repeating: "[", count: inner)
                + String(repeating: "]", count: inner) + "}"
        }
        #expect(decode(nested(depthMax), limits: limits) == [Self.bye])
        let fault = [Outcome.fault(Fault(.depthExceeded))]
        #expect(decode(nested(depthMax + 1), limits: limits) == fault)
        #expect(decode("[" + nested(depthMax - 1) + "]", limits: limits) == [Self.bye])
        #expect(decode("[" + nested(depthMax) + "]", limits: limits) == fault)
        #expect(decode(nested(200_000), limits: limits) == fault)
    }

    @Test("Strings up to the limit are accepted, and one more byte is refused")
    func stringLength() {
        var limits = Limits()
        limits.stringBytesMax = 64
        let longest = String(repeating: "x", count: 64)
        let frames = [
            #"{"type":"bye","x":"%"}"#, #"{"type":"bye","%":1}"#, #"{"type":"bye","x":["%"]}"#,
            #"{"type":"bye","client":"%"}"#, #"[{"type":"bye","client":"%"}]"#,
        ]
        for frame in frames {
            let atLimit = frame.replacing("%", with: longest)
            #expect(decode(atLimit, limits: limits) == [Self.bye])
            let over = frame.replacing("%", with: longest + "x")
            #expect(decode(over, limits: limits) == [.fault(Fault(.stringTooLong))])
        }
    }

    @Test("An empty field name is an unknown field")
    func emptyName() {
        #expect(decode(#"{"":"bye"}"#) == [.fault(Fault(.missingField, field: .type))])
        #expect(decode(#"{"type":"bye","":1}"#) == [Self.bye])
        #expect(decode(#"{"":1,"":2,"type":"bye"}"#) == [Self.bye])
    }

    @Test(
        "The fault for an unknown type names the field",
        arguments: [
            ("\"\"", FaultCode.unknownType), ("\"nope\"", .unknownType), ("\"Bye\"", .unknownType),
            ("\"bye \"", .unknownType), ("\"bye\\u0000\"", .unknownType),
            ("\"welcome\"", .unknownType), ("\"aTypeOfMoreThanSixteenBytes\"", .unknownType),
            ("5", .invalidField), ("true", .invalidField), ("{}", .invalidField),
            ("[]", .invalidField), ("null", .missingField),
        ])
    func unknownTypes(_ type: String, _ code: FaultCode) {
        let frame = #"{"seq":7,"view":"v","type":\#(type)}"#
        #expect(decode(frame) == [.fault(Fault(code, field: .type, seq: 7, view: "v"))])
        let bare = Outcome.fault(Fault(.missingField, field: .type))
        #expect(decode("{}") == [bare])
    }

    @Test("A frame has no effect on the decoding of the next")
    func noMemory() {
        var decoder = MessageDecoder(limits: Limits())
        let full = #"{"type":"detach","seq":1,"view":"v","generation":9}"#
        #expect(decoder.outcomes(of: Array(full.utf8)).first?.message?.header?.generation == 9)
        let short = #"{"type":"detach","seq":2,"view":"w"}"#
        #expect(
            decoder.outcomes(of: Array(short.utf8))
                == [.message(.detach(MessageHeader(view: "w", seq: 2)))])
        #expect(decoder.outcomes(of: Array("{".utf8)) == [Self.malformed])
        #expect(
            decoder.outcomes(of: Array(#"{"type":"detach"}"#.utf8))
                == [.fault(Fault(.missingField, field: .view))])
    }
}
