import RefreshProtocol
import Testing

@Suite struct MessageDecoderTests {
    @Test("A message decodes to its documented meaning", arguments: MessageFixtures.all)
    func fixtures(_ fixture: Fixture) {
        #expect(decode(fixture.wire) == [.message(fixture.message)])
        #expect(decode("[\(fixture.wire)]") == [.message(fixture.message)])
    }

    @Test("Every type has a fixture")
    func fixturesAreComplete() throws {
        let types = try MessageFixtures.all.map { fixture in
            try #require(JSONValue(parsing: fixture.wire)["type"]?.string, "\(fixture.name)")
        }
        #expect(Set(types) == Set(MessageType.allCases.map(\.rawValue)))
    }

    @Test("Batches of 64 fixtures are decoded in order")
    func batch() {
        // A batch has at most 64 messages, so the fixtures need two batches.
        let all = MessageFixtures.all
        for some in [all.prefix(64), all.suffix(64)] {
            let wire = "[" + some.map(\.wire).joined(separator: ",") + "]"
            #expect(decode(wire) == some.map { .message($0.message) })
        }
    }

    @Test("Every word of a vocabulary decodes to its case")
    func words() {
        for phase in ScrollPhase.allCases {
            let wire = #"{"type":"scroll","view":"v","seq":1,"offset":0,"phase":"\#(phase)"}"#
            let sample = ScrollSample(offset: 0, phase: phase)
            #expect(decode(wire) == [.message(.scroll(MessageHeader(view: "v", seq: 1), sample))])
        }
        for cause in Cause.allCases {
            let wire = #"{"type":"loadMore","view":"v","seq":1,"cause":"\#(cause)"}"#
            let header = MessageHeader(view: "v", seq: 1)
            let fault = Fault(.invalidField, field: .cause, seq: 1, view: "v")
            #expect(
                decode(wire) == [
                    cause.mayBeSent ? .message(.loadMore(header, cause: cause)) : .fault(fault)
                ])
        }
        for result in LoadResult.allCases {
            let wire =
                #"{"type":"loadFinished","view":"v","seq":1,"load":"1.1","result":"\#(result)"}"#
            let decoded = decode(wire).first
            #expect((decoded?.message != nil) == result.mayBeSent, "\(result)")
        }
    }

    @Test(
        "Parameters up to the limit are accepted, and one more is refused", arguments: [0, 1, 16])
    func parameters(_ limit: Int) {
        var limits = Limits()
        limits.parametersMax = limit
        func attach(_ count: Int) -> String {
            let members = (0..<count).map { "\"p\($0)\":\"\"" }.joined(separator: ",")
            return #"{"type":"attach","seq":1,"view":"v","profile":"p","parameters":{\#(members)}}"#
        }
        #expect(decode(attach(limit), limits: limits).first?.message != nil)
        let fault = Fault(.valueOutOfRange, field: .parameters, seq: 1, view: "v")
        #expect(decode(attach(limit + 1), limits: limits) == [.fault(fault)])
    }

    @Test("Headers up to the limit are accepted, and one more is refused", arguments: [0, 1, 16])
    func headers(_ limit: Int) {
        var limits = Limits()
        limits.headersMax = limit
        func hello(_ count: Int) -> String {
            let members = (0..<count).map { "\"h\($0)\":\"\"" }.joined(separator: ",")
            return #"{"type":"hello","protocol":1,"headers":{\#(members)}}"#
        }
        #expect(decode(hello(limit), limits: limits).first?.message != nil)
        let fault = Fault(.valueOutOfRange, field: .headers)
        #expect(decode(hello(limit + 1), limits: limits) == [.fault(fault)])
    }

    @Test(
        "A header that occurs twice is refused, even if the names differ in case",
        arguments: [#""a":"1","a":"2""#, #""Host":"1","hOST":"2""#])
    func duplicateHeader(members: String) {
        let fault = Fault(.duplicateField, field: .headers)
        #expect(
            decode(#"{"type":"hello","protocol":1,"headers":{\#(members)}}"#) == [.fault(fault)])
    }

    @Test("A parameter that occurs twice is refused")
    func duplicateParameter() {
        let wire = #"""
            {"type":"attach","seq":1,"view":"v","profile":"p","parameters":{"a":"1","\u0061":"2"}}
            """#
        let fault = Fault(.duplicateField, field: .parameters, seq: 1, view: "v")
        #expect(decode(wire) == [.fault(fault)])
    }

    @Test("Views of one hello up to the limit are accepted, and one more is refused")
    func helloViews() {
        var limits = Limits()
        limits.batchMessagesMax = 3
        func hello(_ count: Int) -> String {
            let views = (0..<count).map { #"{"view":"v\#($0)","profile":"p"}"# }
            return #"{"type":"hello","protocol":1,"views":[\#(views.joined(separator: ","))]}"#
        }
        #expect(decode(hello(3), limits: limits).first?.message != nil)
        #expect(
            decode(hello(4), limits: limits) == [.fault(Fault(.batchTooLong, field: .views))])
    }

    @Test("The operator's limits bound lengths, velocities and page sizes")
    func configuredBounds() {
        var limits = Limits()
        limits.geometryPointsMax = 10_000
        limits.velocityMax = 20_000
        limits.pageSizeMax = 5
        let sample =
            #"{"type":"scroll","seq":1,"view":"v","phase":"ended","offset":%,"velocity":#}"#
        let attach = #"{"type":"attach","seq":1,"view":"v","profile":"p","paging":{"size":%}}"#
        func isTaken(_ wire: String) -> Bool { decode(wire, limits: limits)[0].message != nil }
        func scroll(_ offset: String, _ velocity: String) -> String {
            sample.replacing("%", with: offset).replacing("#", with: velocity)
        }
        #expect(isTaken(scroll("10000", "-20000")) && isTaken(scroll("-1e4", "2e4")))
        #expect(!isTaken(scroll("10000.001", "0")) && !isTaken(scroll("-10001", "0")))
        #expect(!isTaken(scroll("0", "20000.001")) && !isTaken(scroll("0", "-20001")))
        #expect(isTaken(attach.replacing("%", with: "5")))
        #expect(!isTaken(attach.replacing("%", with: "6")))
    }

    @Test("A sequence number is a positive whole number that a double represents exactly")
    func sequenceBound() {
        for (text, isTaken) in [
            ("9007199254740991", true), ("9007199254740992", false), ("9007199254740993", false),
            ("18446744073709551616", false), ("1e300", false), ("0", false), ("-1", false),
            ("1.5", false), ("-0", false),
        ] {
            let decoded = decode(#"{"type":"detach","view":"v","seq":\#(text)}"#)
            #expect((decoded.first?.message != nil) == isTaken, "\(text): \(decoded)")
            #expect(isTaken || decoded.first?.fault?.field == .seq, "\(text)")
        }
    }
}
