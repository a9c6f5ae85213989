import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

/// What a client receives during a pull beyond the threshold. Source: docs/protocol.md,
/// "Over-pull".
@Suite("An over-pull of a session")
struct SessionOverPullTests {
    /// A session with one view, whose pull reaches its threshold at 60 points.
    private static func tester(_ hello: String = #","features":[]"#) -> SessionTester {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1\#(hello)}"#)
        tester.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","top":{"length":60,"progressMax":2},"#
                + #""geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":2000}}}"#
        )
        return tester
    }

    private static func drag(
        _ tester: SessionTester, to offset: Double, _ seq: Int
    ) -> [JSONValue] {
        tester.send(
            #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(offset),"phase":"dragging"}"#
        )
    }

    @Test("A plain client receives the progress beyond 1, and an unchanged indicator")
    func plain() {
        let tester = Self.tester()
        let armed = Self.drag(tester, to: -75, 2).first?["top"]
        #expect(armed?["state"]?.string == "eligible")
        #expect(armed?["progress"]?.number == 1.25)
        #expect(armed?["indicator"]?["progress"]?.number == 1)
        let farther = Self.drag(tester, to: -90, 3)
        #expect(
            farther.map(\.text) == [
                #"{"type":"update","view":"list","ack":3,"top":{"progress":1.5}}"#
            ])
        #expect(Self.drag(tester, to: -90, 4).isEmpty)
        #expect(Self.drag(tester, to: -600, 5).first?["top"]?["progress"]?.number == 2)
        #expect(Self.drag(tester, to: -700, 6).isEmpty)
        let back = Self.drag(tester, to: -30, 7).first?["top"]
        #expect(back?["state"]?.string == "pulling")
        #expect(back?["progress"]?.number == 0.5)
        #expect(back?["indicator"]?["progress"]?.number == 0.5)
    }

    @Test("If a pull beyond the threshold will not cause a refresh, its indicator is full")
    func notArmed() {
        let tester = Self.tester()
        tester.send(#"{"type":"configure","view":"list","seq":2,"top":{"intents":["code"]}}"#)
        let pulled = Self.drag(tester, to: -90, 3).first?["top"]
        #expect(pulled?["state"]?.string == "pulling")
        #expect(pulled?["progress"]?.number == 1.5)
        #expect(pulled?["indicator"]?["progress"]?.number == 1)
        #expect(pulled?["indicator"]?["alpha"]?.number == 1)
        let farther = Self.drag(tester, to: -120, 4).first?["top"]
        #expect(farther?["progress"]?.number == 2)
        #expect(farther?["indicator"] == nil)
    }

    @Test("For a client without features the option is unknown, and the progress stays at 1")
    func withoutFeatures() {
        let tester = Self.tester(#","diagnostics":true"#)
        #expect(tester.metrics.snapshot.count(of: .unknownOption) == 1)
        #expect(Self.drag(tester, to: -90, 2).first?["top"]?["progress"]?.number == 1)
        #expect(Self.drag(tester, to: -120, 3).isEmpty)
    }

    @Test(
        "A value other than a number from 1 to 10 causes a fault that names the option",
        arguments: [
            ("0.99", "valueOutOfRange"), ("10.01", "valueOutOfRange"), ("-2", "valueOutOfRange"),
            ("1e300", "valueOutOfRange"), ("true", "invalidField"), (#""2""#, "invalidField"),
        ])
    func refused(_ value: String, _ code: String) {
        let tester = Self.tester()
        let answer = tester.send(
            #"{"type":"configure","view":"list","seq":2,"top":{"progressMax":\#(value)}}"#)
        #expect(answer.map { $0["code"]?.string } == [code])
        #expect(answer.first?["field"]?.string == "progressMax")
        #expect(Self.drag(tester, to: -90, 3).first?["top"]?["progress"]?.number == 1.5)
    }

    @Test("`attached` has the effective value, rounded to three decimal places")
    func attached() {
        let tester = SessionTester()
        let answer = tester.send(
            #"{"type":"hello","protocol":1,"features":[],"views":[{"view":"a","profile":"default"},"#
                + #"{"view":"b","profile":"default","top":{"progressMax":1.23456}}]}"#)
        let edges = answer.filter { $0["type"]?.string == "attached" }.map { $0["top"] }
        #expect(edges.map { $0?["progressMax"]?.number } == [1, 1.235])
    }
}
