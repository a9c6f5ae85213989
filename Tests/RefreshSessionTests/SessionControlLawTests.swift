import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("Control law and predictions")
struct SessionControlLawTests {
    private static func open(_ frames: String = "local") -> SessionTester {
        let tester = SessionTester()
        tester.send(
            """
            {"type":"hello","protocol":1,"frames":"\(frames)","views":[
             {"view":"list","profile":"iqpulltorefresh","attention":"everything","bottom":null,
             "geometry":{"viewport":{"width":390,"height":800},
             "content":{"width":390,"height":2000}}}]}
            """)
        return tester
    }

    private static func scroll(
        _ tester: SessionTester, _ seq: Int, _ offset: Double, _ phase: String, _ more: String = ""
    ) -> [JSONValue] {
        tester.send(
            #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(offset),"phase":"\#(phase)"\#(more)}"#
        )
    }

    private static let law =
        #"{"rest":[0,1200],"top":{"pull":[[0,0],[-60,1]],"arm":-60,"fires":"release","room":60,"#
        + #""duration":100},"crossings":[],"interest":[[null,0]]}"#

    @Test(
        "A stream or local client receives the law in `attached`, a plain client receives none",
        arguments: ["stream", "local", "plain"])
    func attached(frames: String) throws {
        let frame = try #require(Self.open(frames).channel.frames.last)
        #expect(frame.contains(#""law":"# + Self.law) == (frames != "plain"))
        #expect(frame.contains("law") == (frames != "plain"))
    }

    @Test("When a refresh begins, the changed law is sent, but a pull does not change the law")
    func changes() {
        let tester = Self.open()
        #expect(Self.scroll(tester, 1, -30, "began", #","from":0"#)[0]["law"] == nil)
        #expect(Self.scroll(tester, 2, -70, "dragging")[0]["law"] == nil)
        let fired = Self.scroll(tester, 3, -70, "ended")
        #expect(fired[0]["law"]?["top"] == .null)
        #expect(fired[0]["law"]?["rest"] == .array([.number(-60), .number(1200)]))
        #expect(fired[0]["top"]?["indicator"] == nil)
    }

    @Test("One sample with `from` reports where a finger came down and where it is now")
    func merged() {
        let tester = Self.open()
        let answer = Self.scroll(tester, 1, -30, "began", #","from":0"#)
        #expect(answer[0]["top"]?["state"]?.string == "pulling")
        #expect(answer[0]["top"]?["progress"]?.number == 0.5)
        // The finger already touches the list, so this sample has no special meaning.
        #expect(Self.scroll(tester, 2, -60, "dragging")[0]["top"]?["state"]?.string == "eligible")
        #expect(tester.metrics.snapshot.faults.allSatisfy { $0 == 0 })
    }

    @Test("A correct prediction causes no correction")
    func agreed() {
        let tester = Self.open()
        _ = Self.scroll(tester, 1, -70, "began", #","from":0,"predicted":"eligible""#)
        let fired = Self.scroll(tester, 2, -70, "ended", #","predicted":"refreshing""#)
        #expect(fired[0]["blend"] == nil)
        #expect(tester.metrics.snapshot.mispredictions == 0)
    }

    @Test("A wrong prediction is corrected with the real state and the insets")
    func corrected() {
        let tester = Self.open()
        _ = Self.scroll(tester, 1, -30, "began", #","from":0"#)
        let answer = Self.scroll(tester, 2, -30, "ended", #","predicted":"refreshing""#)
        #expect(answer[0]["top"]?["state"]?.string == "pulling")
        #expect(answer[0]["top"]?["progress"]?.number == 0.5)
        #expect(answer[0]["inset"]?["top"]?.number == 0)
        #expect(answer[0]["inset"]?["bottom"]?.number == 0)
        #expect(answer[0]["blend"]?.number == 150)
        #expect(answer[0]["offset"] == nil)
        #expect(tester.metrics.snapshot.mispredictions == 1)
        // The correction is sent once.
        #expect(Self.scroll(tester, 3, -20, "decelerating")[0]["blend"] == nil)
    }

    @Test("A wrong prediction at the end of a pan is corrected with a path for the list to follow")
    func correctedPan() {
        let tester = Self.open()
        _ = tester.send(
            #"{"type":"pan","view":"list","seq":1,"translation":40,"phase":"began","offset":0}"#)
        let answer = tester.send(
            """
            {"type":"pan","view":"list","seq":2,"translation":40,"phase":"ended",
             "predicted":"refreshing"}
            """)
        #expect(answer[0]["top"]?["state"]?.string == "idle")
        #expect(answer[0]["offset"]?["to"]?.number == 0)
        #expect(answer[0]["offset"]?["path"] != nil)
        #expect(answer[0]["blend"]?.number == 150)
    }

    @Test(
        "The answer to the first `pan` has the `resistance` of the law, later answers do not"
    )
    func resistance() throws {
        let tester = Self.open()
        let first = tester.send(
            #"{"type":"pan","view":"list","seq":1,"translation":0,"phase":"began","offset":0}"#)
        let table = try #require(first[0]["law"]?["resistance"]?["top"]?.array)
        #expect(table.first == .array([.number(0), .number(0)]))
        #expect(first[0]["law"]?["resistance"]?["bottom"] == nil)
        let second = tester.send(
            #"{"type":"pan","view":"list","seq":2,"translation":400,"phase":"dragging"}"#)
        #expect(second[0]["law"] == nil)
        let released = tester.send(
            #"{"type":"pan","view":"list","seq":3,"translation":400,"phase":"ended"}"#)
        #expect(released[0]["law"]?["top"] == .null)
        #expect(released[0]["law"]?["resistance"] == nil)
    }

    @Test(
        "A prediction that is not a state of a refresh edge is refused",
        arguments: [#""loading""#, "1", "[]"])
    func invalid(value: String) {
        for frames in ["local", "plain"] {
            let tester = Self.open(frames)
            let answer = Self.scroll(tester, 1, -30, "began", #","predicted":\#(value)"#)
            #expect(answer[0]["code"]?.string == "invalidField")
            #expect(answer[0]["field"]?.string == "predicted")
        }
    }

    @Test("A prediction of a plain client has no effect")
    func plain() {
        let tester = Self.open("plain")
        let answer = Self.scroll(tester, 1, -30, "began", #","predicted":"refreshing","from":0"#)
        #expect(answer[0]["blend"] == nil)
        #expect(tester.metrics.snapshot.mispredictions == 0)
    }
}
