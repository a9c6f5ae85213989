import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The reports of frequent mistakes to new clients. Source: docs/protocol.md, "Mistakes of a new
/// client".
@Suite("Mistakes of a new client")
struct ClientMistakeTests {
    /// A client with one view, whose feed has answered the first refresh.
    private final class Client {
        let tester: SessionTester
        private var seq = 0
        /// The codes of the mistakes that were reported, with their `seq` and `page`.
        private(set) var reports: [String] = []

        init(
            diagnostics: Bool = true, content: Double? = 4000, frames: String = "plain",
            edge: String = "{}", features: Bool = false
        ) {
            tester = SessionTester(limits: SessionTester.patient)
            let features = features ? #","features":[]"# : ""
            let content = content.map { #","content":{"width":390,"height":\#($0)}"# } ?? ""
            send(
                #"{"type":"hello","protocol":1,"diagnostics":\#(diagnostics),"frames":"\#(frames)"\#(features),"#
                    + #""views":[{"view":"list","profile":"default","feed":"songs","top":\#(edge),"#
                    + #""geometry":{"viewport":{"width":390,"height":800}\#(content)}}]}"#)
            number("refresh")
            answer()
            pass(2000)
        }

        private func record(_ messages: [JSONValue]) {
            for message in messages where message["type"]?.string == "diagnostic" {
                let seq = message["seq"]?.number.map { " \(Int($0))" } ?? ""
                let page = message["page"]?.string ?? "no page"
                reports.append("\(message["code"]?.string ?? "")\(seq) \(page)")
            }
        }

        func send(_ text: String) { record(tester.send(text)) }

        /// Sends a message about the view with the next sequence number.
        func number(_ type: String, _ members: String = "") {
            seq += 1
            send(#"{"type":"\#(type)","seq":\#(seq),"view":"list"\#(members)}"#)
        }

        func scroll(_ offset: Double, _ phase: String, _ members: String = "") {
            number("scroll", #","offset":\#(offset),"phase":"\#(phase)"\#(members)"#)
        }

        /// Pulls the list to `offset` and releases it.
        func pull(to offset: Double) {
            scroll(0, "began")
            scroll(offset / 2, "dragging")
            scroll(offset, "dragging")
            scroll(offset, "ended")
        }

        /// Answers the last load.
        func answer() {
            guard let (ticket, _) = tester.dispatcher.started.last else { return }
            let before = tester.channel.frames.count
            let page = Page(items: Array("[1,2]".utf8), count: 2, more: true)
            tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
            record(tester.messages(from: before))
        }

        /// Lets time pass, and handles the deadlines of the session on the way.
        func pass(_ milliseconds: Double) {
            let before = tester.channel.frames.count
            let end = tester.now.advanced(byMilliseconds: milliseconds)
            while let next = tester.session.nextDeadline, next <= end {
                tester.now = max(tester.now, next)
                tester.session.handle(.wake, at: tester.now)
            }
            tester.now = end
            record(tester.messages(from: before))
        }
    }

    private static let sequence = "docs/start.md#sequence-numbers"
    private static let content = "docs/start.md#content"
    private static let idle = "docs/start.md#idle"
    private static let springBack = "docs/start.md#spring-back"

    // MARK: A correct client

    @Test(
        "The session of docs/start.md has no mistake, in any drawing mode",
        arguments: ["plain", "stream", "local"])
    func correct(frames: String) {
        let client = Client(frames: frames)
        client.pull(to: -72)
        client.pass(300)
        client.scroll(-64, "idle")
        client.answer()
        client.number("geometry", #","content":{"width":390,"height":1200}"#)
        client.pass(3000)
        client.scroll(0, "began")
        client.scroll(300, "dragging")
        client.answer()
        client.number("geometry", #","content":{"width":390,"height":2400}"#)
        client.scroll(300, "ended")
        client.scroll(300, "idle")
        client.pass(60_000)
        #expect(client.reports == [])
    }

    @Test("A list that is caught while it springs back or decelerates has no mistake")
    func caught() {
        let client = Client()
        client.pull(to: -40)
        client.pass(999)
        client.pull(to: -30)
        client.pass(200)
        client.scroll(0, "idle")
        // The client sends no samples while the list decelerates.
        client.scroll(0, "began")
        client.scroll(900, "dragging")
        client.scroll(900, "ended", #","velocity":4000"#)
        client.pass(3000)
        client.scroll(2400, "began")
        client.scroll(2400, "ended")
        client.scroll(2400, "idle")
        // A flick from beyond the start into the content.
        client.scroll(0, "began")
        client.scroll(-60, "dragging")
        client.scroll(-20, "dragging")
        client.scroll(-20, "ended", #","velocity":3000"#)
        client.pass(2000)
        client.scroll(1500, "began")
        client.scroll(1500, "ended")
        client.scroll(1500, "idle")
        client.pass(60_000)
        #expect(client.reports == [])
    }

    @Test("A list that rests in a room that the daemon closes at the same time has no mistake")
    func closingRoom() {
        let client = Client()
        client.pull(to: -72)
        client.answer()
        client.pass(2000)
        client.scroll(-64, "idle")
        #expect(client.reports == [])
    }

    @Test("A tap on the open room may cross the command that closes it")
    func tappedRoom() {
        let client = Client()
        client.pull(to: -72)
        client.scroll(-64, "idle")
        client.answer()
        client.pass(2000)
        for phase in ["began", "ended", "idle"] { client.scroll(-64, phase) }
        client.scroll(0, "idle")
        #expect(client.reports == [])
        // The next gesture has no such room.
        client.pull(to: -72)
        client.scroll(-72, "idle")
        #expect(client.reports == ["springBackMissing 15 \(Self.springBack)"])
    }

    @Test("A list that is out of sight need not report the end of its movement")
    func outOfSight() {
        let client = Client(features: true)
        client.scroll(0, "began")
        client.scroll(300, "dragging")
        client.scroll(300, "ended", #","velocity":900"#)
        client.number("disappear")
        client.pass(10_000)
        #expect(client.reports == [])
    }

    @Test("If the platform's control holds the room, the list may rest there")
    func platformRoom() {
        let client = Client(edge: #"{"hold":false}"#)
        client.pull(to: -72)
        client.scroll(-64, "idle")
        #expect(client.reports == [])
        client.answer()
        client.pass(2000)
        client.pull(to: -72)
        client.scroll(-72, "idle")
        #expect(client.reports == ["springBackMissing 11 \(Self.springBack)"])
    }

    @Test("A client without diagnostics receives no report, and no mistake is counted")
    func withoutDiagnostics() {
        let client = Client(diagnostics: false, content: nil)
        client.send(#"{"type":"refresh","view":"list"}"#)
        client.pull(to: -72)
        client.scroll(-72, "idle")
        client.pull(to: -72)
        client.pass(60_000)
        #expect(client.reports == [])
        client.send(#"{"type":"ping","t":1}"#)
        let counts = client.tester.metrics.snapshot
        #expect(counts.diagnostics.allSatisfy { $0 == 0 })
        #expect(client.tester.session.conversation.value.inbound.movements == nil)
    }

    // MARK: Mistakes

    @Test("A message without `seq` is reported once for its view, after its fault")
    func sequenceMissing() {
        let client = Client()
        let answer = client.tester.send(#"{"type":"refresh","view":"list"}"#)
        #expect(answer.map { $0["type"]?.string } == ["error", "diagnostic"])
        #expect(answer.first?["field"]?.string == "seq")
        #expect(answer.last?["code"]?.string == "sequenceMissing")
        #expect(answer.last?["view"]?.string == "list")
        #expect(answer.last?["page"]?.string == Self.sequence)
        client.send(#"{"type":"geometry","view":"list"}"#)
        #expect(client.reports == [])
        client.send(#"{"type":"geometry","view":"other"}"#)
        client.send(#"{"type":"attach","view":"third","profile":"default"}"#)
        #expect(client.reports == ["sequenceMissing \(Self.sequence)"])
    }

    @Test("Another missing field is not reported")
    func otherField() {
        let client = Client()
        client.number("scroll", #","phase":"idle""#)
        #expect(client.reports == [])
    }

    @Test(
        "A gesture on a list with items and without content is reported once",
        arguments: ["idle", "began"])
    func contentMissing(end: String) {
        let client = Client(content: nil)
        client.scroll(0, "began")
        client.scroll(50, "dragging")
        client.scroll(50, "ended")
        #expect(client.reports == [])
        client.scroll(50, end)
        #expect(client.reports == ["contentMissing 5 \(Self.content)"])
        client.scroll(50, "began")
        client.scroll(50, "idle")
        #expect(client.reports.count == 1)
    }

    @Test("A `pan` on a list with items and without content is reported")
    func contentMissingInPan() {
        let client = Client(content: nil)
        client.number("pan", #","translation":0,"phase":"began""#)
        client.number("pan", #","translation":20,"phase":"dragging""#)
        client.number("pan", #","translation":20,"phase":"ended""#)
        #expect(client.reports == ["contentMissing 4 \(Self.content)"])
    }

    @Test("Content that is reported during the gesture, or before the first items, is no mistake")
    func contentInTime() {
        let client = Client(content: nil)
        client.scroll(0, "began")
        client.number("geometry", #","content":{"width":390,"height":1200}"#)
        client.scroll(0, "idle")
        #expect(client.reports == [])
    }

    @Test("A wheel that scrolls a list with items and without content is reported")
    func contentMissingWithWheel() {
        let client = Client(content: nil)
        client.scroll(10, "decelerating", #","cause":"wheel""#)
        client.scroll(20, "decelerating", #","cause":"wheel""#)
        client.scroll(20, "idle", #","cause":"wheel""#)
        #expect(client.reports == ["contentMissing 4 \(Self.content)"])
    }

    @Test("A second pull without an `idle` after the first one is reported once")
    func idleMissing() {
        let client = Client()
        client.pull(to: -40)
        client.pass(1000)
        client.pull(to: -40)
        #expect(client.reports == ["idleMissing 6 \(Self.idle)"])
        client.pass(1000)
        client.pull(to: -40)
        client.pass(60_000)
        #expect(client.reports.count == 1)
    }

    @Test("A movement whose `idle` does not come is reported after gestureSilenceMs")
    func idleNeverComes() {
        let client = Client()
        client.scroll(0, "began")
        client.scroll(200, "dragging")
        client.scroll(200, "ended", #","velocity":900"#)
        client.pass(4999)
        #expect(client.reports == [])
        client.pass(1)
        #expect(client.reports == ["idleMissing \(Self.idle)"])
    }

    @Test("A finger that rests without samples is not reported")
    func restingFinger() {
        let client = Client()
        client.scroll(0, "began")
        client.scroll(-30, "dragging")
        client.pass(60_000)
        #expect(client.reports == [])
    }

    @Test("A list that rests beyond the room after its release is reported")
    func springBackMissing() {
        let client = Client()
        client.pull(to: -72)
        client.scroll(-72, "idle")
        #expect(client.reports == ["springBackMissing 6 \(Self.springBack)"])
        client.answer()
        client.pass(3000)
        client.pull(to: -72)
        client.scroll(-72, "idle")
        #expect(client.reports.count == 1)
    }

    @Test("A short pull that does not spring back is reported, with a tolerance of 1 point")
    func shortPull() {
        let client = Client()
        client.pull(to: -30)
        client.scroll(-1, "idle")
        #expect(client.reports == [])
        client.pull(to: -30)
        client.scroll(-30, "idle")
        #expect(client.reports == ["springBackMissing 11 \(Self.springBack)"])
    }

    @Test("A list that is still beyond its room at the next touch has two mistakes")
    func neitherIdleNorSpringBack() {
        let client = Client()
        client.pull(to: -72)
        client.pass(1500)
        client.scroll(-72, "began")
        #expect(
            client.reports == [
                "idleMissing 6 \(Self.idle)", "springBackMissing 6 \(Self.springBack)",
            ])
    }

    @Test("Mistakes are reported again on the next connection, which asks for diagnostics itself")
    func nextConnection() throws {
        let fixture = HostFixture()
        var first = fixture.connect()
        let hello = #""diagnostics":true"#
        var welcome = try #require(
            first.send(
                #"{"type":"hello","protocol":1,\#(hello),"views":[\#(HostClient.view())]}"#
            ).first)
        var codes: [String?] = []
        for _ in 0..<2 {
            codes += first.send(#"{"type":"refresh","view":"list"}"#).map { $0["code"]?.string }
            codes += first.send(#"{"type":"refresh","view":"list"}"#).map { $0["code"]?.string }
            first.hangUp()
            first = fixture.connect()
            welcome = try #require(
                first.send(
                    #"{"type":"hello","protocol":1,\#(hello),\#(HostClient.resumeMember(welcome)),"#
                        + #""views":[\#(HostClient.view())]}"#
                ).first)
            #expect(welcome["resumed"]?.bool == true)
        }
        let once = ["missingField", "sequenceMissing", "missingField"]
        #expect(codes == once + once)
    }
}
