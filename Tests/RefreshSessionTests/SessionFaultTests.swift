import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("A session's faults")
struct SessionFaultTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var frame: String
        var code: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "text that is not JSON", frame: "{", code: "malformedJSON"),
        Case(name: "a number in place of a message", frame: "12", code: "malformedJSON"),
        Case(name: "an unknown type", frame: #"{"type":"jump","seq":2}"#, code: "unknownType"),
        Case(name: "NaN", frame: #"{"type":"scroll","offset":NaN}"#, code: "malformedJSON"),
        Case(
            name: "an infinite number",
            frame: #"{"type":"scroll","view":"list","seq":2,"offset":1e999,"phase":"began"}"#,
            code: "numberOutOfRange"),
        Case(
            name: "an offset beyond the limit",
            frame: #"{"type":"scroll","view":"list","seq":2,"offset":1e9,"phase":"began"}"#,
            code: "valueOutOfRange"),
        Case(
            name: "an unknown phase",
            frame: #"{"type":"scroll","view":"list","seq":2,"offset":1,"phase":"flying"}"#,
            code: "invalidField"),
        Case(
            name: "a view that is not attached",
            frame: #"{"type":"refresh","view":"lst","seq":2}"#, code: "unknownView"),
        Case(
            name: "a sequence number that was already used",
            frame: #"{"type":"refresh","view":"list","seq":1}"#, code: "staleSequence"),
        Case(
            name: "a generation that the view does not have",
            frame: #"{"type":"refresh","view":"list","seq":2,"generation":9}"#,
            code: "staleGeneration"),
        Case(
            name: "a second view with the same name",
            frame: #"{"type":"attach","view":"list","seq":2,"profile":"uikit"}"#,
            code: "viewExists"),
        Case(
            name: "an unknown profile",
            frame: #"{"type":"attach","view":"b","seq":2,"profile":"best"}"#,
            code: "unknownProfile"),
        Case(
            name: "an unknown feed",
            frame: #"{"type":"attach","view":"b","seq":2,"profile":"uikit","feed":"x"}"#,
            code: "unknownFeed"),
        Case(
            name: "an undeclared parameter",
            frame:
                #"{"type":"attach","view":"b","seq":2,"profile":"uikit","feed":"songs","parameters":{"z":"1"}}"#,
            code: "unknownParameter"),
        Case(
            name: "a length of 0 (O-IQ-16)",
            frame: #"{"type":"configure","view":"list","seq":2,"top":{"length":0}}"#,
            code: "invalidOption"),
        Case(
            name: "the end of a load that does not exist",
            frame:
                #"{"type":"loadFinished","view":"list","seq":2,"load":"1.7","result":"success"}"#,
            code: "unknownLoad"),
        Case(
            name: "a retry without a failed load",
            frame: #"{"type":"retry","view":"list","seq":2}"#,
            code: "nothingToRetry"),
        Case(
            name: "a second hello", frame: #"{"type":"hello","protocol":1}"#, code: "alreadyGreeted"
        ),
    ]

    @Test("A faulty message is answered with a code, and the session continues", arguments: cases)
    func areReported(_ fault: Case) {
        let tester = SessionTester()
        tester.open()
        let answer = tester.send(fault.frame)
        #expect(answer.map { $0["type"]?.string } == ["error"])
        #expect(answer.first?["code"]?.string == fault.code)
        #expect(tester.channel.closed == nil)
        let pong = tester.send(#"{"type":"ping","t":7}"#)
        #expect(pong.first?["t"]?.number == 7)
    }

    @Test("A fault beyond the budget ends the session, and the budget grows by one each second")
    func areBudgeted() {
        var limits = Limits()
        limits.faultBudgetMax = 3
        let tester = SessionTester(limits: limits)
        tester.open()
        for _ in 0..<3 { tester.send("{") }
        #expect(tester.channel.closed == nil)
        tester.now = Instant(milliseconds: 1_000)
        tester.send("{")
        #expect(tester.channel.closed == nil)
        let last = tester.send("{")
        #expect(last.last?["code"]?.string == "tooManyFaults")
        #expect(tester.channel.closed == .tooManyFaults)
    }

    @Test("Another protocol version closes with 4001, and the fault names the supported versions")
    func refuseVersions() {
        let tester = SessionTester()
        let answer = tester.send(#"{"type":"hello","protocol":2}"#)
        #expect(answer.first?["code"]?.string == "unsupportedProtocol")
        #expect(answer.first?["versions"]?.array == [.number(1)])
        #expect(tester.channel.closed == .unsupportedProtocol)
    }
}
