import RefreshIndicator
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("Indicators of a session")
struct IndicatorTests {
    /// Drags the list to `offset`, and returns the answers. The first drag, with the `seq` 2,
    /// begins at rest.
    @discardableResult
    private func drag(_ tester: SessionTester, _ seq: Int, to offset: Double) -> [JSONValue] {
        if seq == 2 { tester.send(sample(seq, 0, "began")) }
        return tester.send(sample(seq * 10, offset, "dragging"))
    }

    private func sample(_ seq: Int, _ offset: Double, _ phase: String) -> String {
        #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(offset),"phase":"\#(phase)"}"#
    }

    /// Wakes the session at its own deadlines until `end`, and returns the messages that the
    /// session sends.
    private func wait(_ tester: SessionTester, until end: Double) -> [JSONValue] {
        let before = tester.channel.frames.count
        while let next = tester.session.nextDeadline, next.milliseconds <= end {
            tester.now = max(next, tester.now)
            tester.session.handle(.wake, at: tester.now)
        }
        tester.now = Instant(milliseconds: end)
        return tester.messages(from: before)
    }

    @Test("A plain client receives no programme and no frame")
    func plain() {
        let tester = SessionTester()
        let attached = tester.open()[0]
        #expect(attached["top"]?["programme"] == nil)
        #expect(attached["top"]?["indicator"] == nil)
        let update = drag(tester, 2, to: -30)[0]
        #expect(update["top"]?["frame"] == nil)
        #expect(update["top"]?["indicator"]?["progress"] == .number(0.5))
    }

    @Test("A stream client receives the profile's programme once, and a frame with each input")
    func stream() {
        let tester = SessionTester()
        let attached = tester.open(frames: #""stream""#)[0]
        #expect(attached["top"]?["indicator"] == .string("indicator"))
        #expect(attached["top"]?["programme"]?["layers"] != nil)
        #expect(attached["bottom"]?["indicator"] == .string("indicator"))
        drag(tester, 2, to: -10)
        for (seq, offset) in [(3, -15.0), (4, -30), (5, -45)] {
            tester.now = tester.now.advanced(byMilliseconds: 100.0)
            let update = drag(tester, seq, to: offset)[0]
            #expect(update["top"]?["programme"] == nil)
            #expect(update["top"]?["indicator"] == nil)
            #expect(update["top"]?["frame"] != nil, "at \(offset)")
        }
    }

    @Test("A local client receives the programme and no frames")
    func local() {
        let tester = SessionTester()
        let attached = tester.open(frames: #""local""#)[0]
        #expect(attached["top"]?["programme"]?["layers"] != nil)
        #expect(attached["top"]?["frame"] == nil)
        let update = drag(tester, 2, to: -30)[0]
        #expect(update["top"]?["frame"] == nil)
        #expect(update["top"]?["indicator"] == nil)
    }

    @Test("During a refresh, a stream client receives clock-driven frames at its own rate")
    func running() {
        let tester = SessionTester()
        tester.open(feed: "songs", frames: #"{"mode":"stream","rate":10}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let frames = wait(tester, until: 3000).filter { $0["top"]?["frame"] != nil }
        #expect((25...31).contains(frames.count), "\(frames.count)")
    }

    @Test("If a programme's rate is lower than the client's, frames are sent at the lower rate")
    func programmeRate() {
        let tester = SessionTester(indicators: [Self.words(rate: 4)])
        tester.open(feed: "songs", frames: #""stream""#, extra: #","top":{"indicator":"words"}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let frames = wait(tester, until: 2000).filter { $0["top"]?["frame"] != nil }
        #expect((7...9).contains(frames.count), "\(frames.count)")
    }

    @Test("The indicators of the two edges are played at separate rates")
    func ratesOfEdges() {
        let tester = SessionTester(indicators: [Self.words(rate: 1)])
        tester.open(
            feed: "songs", frames: #""stream""#,
            extra: #","top":{"indicator":"spinner"},"bottom":{"indicator":"words"}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let frames = wait(tester, until: 2000).filter { $0["top"]?["frame"] != nil }
        #expect((50...62).contains(frames.count), "\(frames.count)")
    }

    @Test("An indicator that is chosen during a pull shows this pull")
    func chosenInPull() {
        let tester = SessionTester()
        tester.open(frames: #""stream""#, extra: #","top":{"indicator":"letters"}"#)
        drag(tester, 2, to: -40)
        let update = tester.send(
            #"{"type":"configure","view":"list","seq":30,"top":{"indicator":"spinner"}}"#)[0]
        #expect(update["top"]?["frame"]?["tick1"]?["opacity"] == .number(1))
    }

    @Test("An indicator at rest sends no frames, and does not wake the session")
    func still() {
        let tester = SessionTester(limits: SessionTester.patient)
        tester.open(frames: #""stream""#)
        _ = wait(tester, until: 1000)
        #expect(tester.session.nextDeadline == nil)
        drag(tester, 2, to: -30)
        #expect(!wait(tester, until: 1900).isEmpty)
        #expect(wait(tester, until: 1990).isEmpty)
    }

    @Test("Clock-driven frames that the channel does not accept are dropped")
    func slow() {
        let tester = SessionTester()
        tester.open(feed: "songs", frames: #""stream""#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        tester.channel.isWritable = false
        #expect(wait(tester, until: 5000).isEmpty)
        tester.channel.isWritable = true
        let before = tester.channel.frames.count
        tester.session.handle(.writable, at: tester.now)
        #expect(tester.messages(from: before).count <= 1)
        #expect(wait(tester, until: 5100).count <= 4)
    }

    @Test("A pull beyond the threshold moves the indicator, although no state changes")
    func overPull() {
        let tester = SessionTester()
        tester.open(frames: #""stream""#, extra: #","top":{"indicator":"spinner"}"#)
        drag(tester, 2, to: -70)
        _ = wait(tester, until: 1000)
        let update = drag(tester, 3, to: -100).first
        #expect(update?["top"]?["frame"] != nil)
        #expect(update?["top"]?["state"] == nil)
    }

    @Test("A text of a state is sent in the client's language, when that state begins")
    func texts() {
        let tester = SessionTester(indicators: [Self.words(rate: 30)])
        let attached = tester.open(
            frames: #"{"mode":"stream","language":"de-AT"}"#,
            extra: #","top":{"indicator":"words"}"#)[0]
        #expect(attached["top"]?["programme"]?["strings"] == nil)
        #expect(attached["top"]?["programme"]?["edge"] == nil)
        let text = attached["top"]?["programme"]?["layers"]?.array?[0]["text"]
        #expect(text == .string("Ziehen"))
        drag(tester, 2, to: -30)
        let update = drag(tester, 3, to: -110)[0]
        #expect(update["top"]?["frame"]?["label"]?["text"] == .string("Loslassen"))
        let back = drag(tester, 4, to: -30)[0]
        #expect(back["top"]?["frame"]?["label"]?["text"] == .string("Ziehen"))
    }

    @Test("A named programme sets the options of its edge, except those that the client sets")
    func edgeOptions() {
        let tester = SessionTester(indicators: [Self.words(rate: 30)])
        let attached = tester.open(
            frames: #""stream""#, extra: #","top":{"indicator":"words","room":50}"#)[0]
        #expect(attached["top"]?["length"] == .number(100))
        #expect(attached["top"]?["room"] == .number(50))
    }

    @Test("An attach with an unknown indicator is refused")
    func unknown() {
        let tester = SessionTester()
        let fault = tester.open(
            frames: #""stream""#, extra: #","top":{"indicator":"lettres"}"#)[0]
        #expect(fault["code"] == .string("unknownIndicator"))
        #expect(fault["field"] == .string("indicator"))
    }

    @Test("A client can choose to have no indicator at an edge")
    func none() {
        let tester = SessionTester()
        let attached = tester.open(frames: #""stream""#, extra: #","top":{"indicator":null}"#)[0]
        #expect(attached["top"]?["indicator"] == .null)
        #expect(attached["top"]?["programme"] == nil)
        let update = drag(tester, 2, to: -30)[0]
        #expect(update["top"]?["frame"] == nil)
    }

    @Test("An indicator that is chosen by configure is sent with its whole programme")
    func configured() {
        let tester = SessionTester()
        tester.open(frames: #""stream""#)
        let update = tester.send(
            #"{"type":"configure","view":"list","seq":2,"top":{"indicator":"letters"}}"#)[0]
        #expect(update["type"] == .string("update"))
        #expect(update["top"]?["indicator"] == .string("letters"))
        #expect(update["top"]?["programme"]?["layers"] != nil)
        tester.send(sample(3, 0, "began"))
        let dragUpdate = tester.send(sample(30, -30, "dragging"))[0]
        #expect(dragUpdate["top"]?["frame"] != nil)
    }

    @Test("With reduced motion, a stream client receives no clock-driven frames")
    func reducedMotion() {
        let tester = SessionTester()
        tester.open(feed: "songs", frames: #"{"mode":"stream","motion":"reduced"}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(wait(tester, until: 3000).isEmpty)
    }

    /// A programme with one text per state, in two languages.
    private static func words(rate: Int) -> NamedProgramme {
        let text = """
            {"rate":\(rate),"layers":[{"name":"label","text":"@pull"}],
             "pull":{"tracks":{"label":{"opacity":[[0,0],[1,1]]}}},
             "run":{"duration":1000,"tracks":{"label":{"rotation":[[0,0],[1000,6]]}}},
             "states":{"eligible":{"text":{"label":"@release"}}},
             "strings":{"pull":{"en":"Pull","de":"Ziehen"},
                "release":{"en":"Release","de":"Loslassen"}},
             "edge":{"length":100,"room":70}}
            """
        do {
            return NamedProgramme("words", try Programme(json: JSONValue(parsing: text)))
        } catch {
            Issue.record("\(error)")
            return NamedProgramme("words", Programme(layers: []))
        }
    }
}
