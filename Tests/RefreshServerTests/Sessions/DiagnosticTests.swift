import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The reports to a client about what the daemon ignores. Source: docs/protocol.md, "Diagnostics".
@Suite("Diagnostics")
struct DiagnosticTests {
    private static func tester(
        _ wants: Bool = true, limits: Limits = Limits(), frames: String = #""plain""#
    ) -> SessionTester {
        let tester = SessionTester(limits: limits)
        tester.send(
            #"{"type":"hello","protocol":1,"frames":\#(frames),"diagnostics":\#(wants),"views":"#
                + #"[{"view":"list","profile":"iqpulltorefresh","feed":"songs","#
                + #""geometry":{"viewport":{"width":390,"height":800}}}]}"#)
        return tester
    }

    /// Returns the code, view, seq and field of each diagnostic.
    private static func diagnostics(_ messages: [JSONValue]) -> [String] {
        messages.filter { $0["type"]?.string == "diagnostic" }.map { message in
            ["code", "view", "seq", "field", "suggestion"].compactMap {
                message[$0]?.string
                    ?? message[$0]?.number.map { String(Int($0)) }
            }.joined(separator: " ")
        }
    }

    /// Prepares a session whose list is complete after one page. The refresh edge accepts only
    /// fingers, not keyboards.
    private static func prepare(_ tester: SessionTester) {
        tester.send(#"{"type":"refresh","seq":1,"view":"list"}"#)
        guard let (ticket, _) = tester.dispatcher.started.last else { return }
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: Array("[1]".utf8), count: 1, more: false)))),
            at: tester.now)
        tester.send(
            #"{"type":"configure","seq":2,"view":"list","top":{"intents":["finger"]}}"#)
    }

    static let ignored: [(String, String, DiagnosticCode)] = [
        (
            #"{"type":"scroll","seq":9,"view":"list","offset":0,"phase":"began","offst":1}"#,
            "unknownField list 9 offst offset", .unknownField
        ),
        (
            #"{"type":"configure","seq":9,"view":"list","top":{"triger":"reach"}}"#,
            "unknownOption list 9 top.triger trigger", .unknownOption
        ),
        (
            #"{"type":"configure","seq":9,"view":"list","profile":"uikit"}"#,
            "notConfigurable list 9 profile", .notConfigurable
        ),
        (
            #"{"type":"configure","seq":9,"view":"list","paging":{"size":33}}"#,
            "notConfigurable list 9 paging.size", .notConfigurable
        ),
        (
            #"{"type":"attach","seq":9,"view":"new","profile":"default","feed":"songs","paging":{"size":33}}"#,
            "notConfigurable new 9 paging.size", .notConfigurable
        ),
        (
            #"{"type":"loadMore","seq":9,"view":"list"}"#, "nothingToLoad list 9", .nothingToLoad
        ),
        (
            #"{"type":"refresh","seq":9,"view":"list","cause":"key"}"#,
            "intentLeftOut list 9", .intentLeftOut
        ),
    ]

    @Test("Ignored parts of messages are reported on request, and counted", arguments: ignored)
    func areReported(_ frame: String, _ text: String, _ code: DiagnosticCode) {
        let tester = Self.tester()
        Self.prepare(tester)
        let answer = tester.send(frame)
        #expect(Self.diagnostics(answer) == [text])
        tester.send(#"{"type":"ping","t":1}"#)
        #expect(tester.metrics.snapshot.count(of: code) == 1)
        #expect(tester.metrics.snapshot.diagnosticsDropped == 0)
    }

    @Test(
        "If a client does not request diagnostics, ignored parts of messages are only counted",
        arguments: ignored)
    func areCounted(_ frame: String, _ text: String, _ code: DiagnosticCode) {
        let tester = Self.tester(false)
        Self.prepare(tester)
        let answer = tester.send(frame)
        #expect(Self.diagnostics(answer) == [])
        tester.send(#"{"type":"ping","t":1}"#)
        #expect(tester.metrics.snapshot.count(of: code) == 1)
        #expect(tester.metrics.snapshot.faults.allSatisfy { $0 == 0 })
    }

    @Test(
        "Diagnostics follow the answer to their message in the same frame, in every drawing mode",
        arguments: [#""plain""#, #""stream""#, #""local""#])
    func order(frames: String) {
        let tester = Self.tester(frames: frames)
        let before = tester.channel.frames.count
        let answer = tester.send(#"{"type":"begin","seq":9,"view":"list","animatd":true}"#)
        #expect(tester.channel.frames.count == before + 1)
        #expect(answer.map { $0["type"]?.string } == ["update", "diagnostic"])
        #expect(Self.diagnostics(answer) == ["unknownField list 9 animatd animated"])
    }

    @Test("Diagnostics about `hello` follow `welcome` and `attached`, and name their view")
    func ofHello() {
        let tester = SessionTester()
        let answer = tester.send(
            #"{"type":"hello","protocol":1,"diagnostics":true,"cleint":"x","views":"#
                + #"[{"view":"list","profile":"default","top":{"lenght":60}}]}"#)
        #expect(
            answer.map { $0["type"]?.string } == [
                "welcome", "attached", "diagnostic", "diagnostic",
            ])
        #expect(
            Self.diagnostics(answer) == [
                "unknownField cleint client", "unknownOption list top.lenght length",
            ])
    }

    @Test("Diagnostics do not use up the budget of faults, whatever their number")
    func noFaults() {
        var limits = Limits()
        limits.faultBudgetMax = 1
        let tester = Self.tester(limits: limits)
        for number in 1...50 {
            tester.send(#"{"type":"begin","seq":\#(number),"view":"list","odd":1}"#)
        }
        #expect(tester.channel.closed == nil)
    }

    @Test(
        "diagnosticsMax: a burst of this size is sent, then one each second with the number that was dropped"
    )
    func areBounded() {
        var limits = Limits()
        limits.diagnosticsMax = 3
        let tester = Self.tester(limits: limits)
        let many = (0..<100).map { #""odd\#($0)":1"# }.joined(separator: ",")
        let answer = tester.send(#"{"type":"begin","seq":1,"view":"list",\#(many)}"#)
        #expect(Self.diagnostics(answer).count == 3)
        #expect(tester.metrics.snapshot.diagnosticsDropped == 97)
        #expect(
            Self.diagnostics(tester.send(#"{"type":"begin","seq":2,"view":"list","x":1}"#)) == [])
        tester.now = Instant(milliseconds: 999)
        #expect(
            Self.diagnostics(tester.send(#"{"type":"begin","seq":3,"view":"list","x":1}"#)) == [])
        tester.now = Instant(milliseconds: 1001)
        let next = tester.send(#"{"type":"begin","seq":4,"view":"list","x":1,"z":2}"#)
        #expect(Self.diagnostics(next) == ["unknownField list 4 x"])
        #expect(next.last?["dropped"]?.number == 99)
        #expect(tester.metrics.snapshot.diagnosticsDropped == 100)
        #expect(tester.metrics.snapshot.count(of: .unknownField) == 104)
    }

    @Test("If diagnosticsMax is 0, no diagnostics are sent")
    func off() {
        var limits = Limits()
        limits.diagnosticsMax = 0
        let tester = Self.tester(limits: limits)
        #expect(
            Self.diagnostics(tester.send(#"{"type":"begin","seq":1,"view":"list","x":1}"#)) == [])
    }

    @Test("A diagnostic contains only a shortened and escaped name from the client's message")
    func hostileNames() throws {
        let tester = Self.tester()
        let name = #"\u0000\u001b[31m\"}]\u2028"# + String(repeating: "A", count: 900)
        let answer = tester.send(#"{"type":"begin","seq":1,"view":"list","\#(name)":1}"#)
        let field = try #require(answer.last?["field"]?.string)
        #expect(field == #"??[31m"}]?"# + String(repeating: "A", count: 22) + "...")
        #expect(try #require(tester.channel.frames.last).utf8.count < 600)
    }

    // MARK: Coming back

    @Test(
        "Diagnostics name each value that differs at a resume, and the view keeps its own values",
        arguments: [true, false])
    func resumedOtherwise(wants: Bool) throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = try #require(
            first.send(
                #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default","#
                    + #""feed":"songs","parameters":{"q":"a"}}]}"#
            ).first)
        first.hangUp()
        let second = fixture.connect(to: 1)
        let received = second.send(
            #"[{"type":"hello","protocol":1,"diagnostics":\#(wants),\#(HostClient.resumeMember(welcome)),"#
                + #""views":[{"view":"list","profile":"uikit","feed":"songs","haptics":false,"#
                + #""parameters":{"q":"b"},"odd":1}]},{"type":"ping","t":1}]"#)
        #expect(received.first?["resumed"]?.bool == true)
        #expect(received.first("attached")?["profile"]?.string == "default")
        #expect(
            Self.diagnostics(received)
                == (wants
                    ? [
                        "resumedOtherwise list profile", "resumedOtherwise list parameters",
                        "resumedOtherwise list haptics", "unknownField list odd",
                    ] : []))
        #expect(fixture.total.count(of: .resumedOtherwise) == 3)
    }

    @Test("If a view is resumed with unchanged values, no diagnostics are sent")
    func resumedAlike() throws {
        let fixture = HostFixture()
        let view =
            #"{"view":"list","profile":"default","feed":"songs","parameters":{"q":"a"},"#
            + #""haptics":true,"top":{"length":70},"geometry":{"scale":2}}"#
        let first = fixture.connect()
        let welcome = try #require(
            first.send(#"{"type":"hello","protocol":1,"views":[\#(view)]}"#).first)
        first.hangUp()
        let received = fixture.connect(to: 1).send(
            #"{"type":"hello","protocol":1,"diagnostics":true,\#(HostClient.resumeMember(welcome)),"views":[\#(view)]}"#
        )
        #expect(received.first?["resumed"]?.bool == true)
        #expect(Self.diagnostics(received) == [])
        #expect(fixture.total.count(of: .resumedOtherwise) == 0)
    }
}
