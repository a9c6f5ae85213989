import RefreshBroker
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("A session's views")
struct SessionViewTests {
    @Test("A horizontal view from right to left has the edges leading and trailing")
    func horizontal() throws {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1}"#)
        let attached = try #require(
            tester.send(
                """
                {"type":"attach","seq":1,"view":"row","profile":"iqpulltorefresh","axis":"horizontal",
                 "geometry":{"viewport":{"width":390,"height":200},"direction":"rtl",
                 "content":{"width":1000,"height":200}}}
                """
            ).first)
        #expect(attached["top"] == nil && attached["bottom"] == nil)
        #expect(attached["leading"]?["role"]?.string == "refresh")
        #expect(attached["trailing"]?["role"]?.string == "loadMore")
        tester.send(#"{"type":"scroll","view":"row","seq":2,"offset":610,"phase":"began"}"#)
        tester.send(#"{"type":"scroll","view":"row","seq":3,"offset":640,"phase":"dragging"}"#)
        #expect(
            tester.channel.frames.last
                == #"{"type":"update","view":"row","ack":3,"leading":{"state":"pulling","progress":0.5,"#
                + #""indicator":{"progress":0.5,"alpha":0.5}}}"#)
        tester.send(#"{"type":"scroll","view":"row","seq":4,"offset":670,"phase":"dragging"}"#)
        let fired = tester.send(
            #"{"type":"scroll","view":"row","seq":5,"offset":670,"phase":"ended"}"#)
        #expect(fired[0]["leading"]?["state"]?.string == "refreshing")
        #expect(fired[0]["inset"]?["leading"]?.number == 60)
    }

    @Test("Pages of a reversed list are prepended, and the anchor keeps its place on the screen")
    func chat() throws {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1}"#)
        tester.send(
            """
            {"type":"attach","seq":1,"view":"chat","profile":"default","reversed":true,"feed":"songs",
             "geometry":{"viewport":{"width":390,"height":800},
             "content":{"width":390,"height":2000},"anchor":{"id":"m42","position":900}}}
            """)
        let refreshed = try load(#"{"type":"refresh","view":"chat","seq":2}"#, tester)
        #expect(refreshed.first { $0["type"]?.string == "items" }?["mode"]?.string == "replace")
        tester.send(#"{"type":"scroll","view":"chat","seq":3,"offset":850,"phase":"dragging"}"#)
        let more = try load(#"{"type":"loadMore","view":"chat","seq":4}"#, tester)
        #expect(more.first { $0["type"]?.string == "items" }?["mode"]?.string == "prepend")
        let held = tester.send(
            """
            {"type":"geometry","view":"chat","seq":5,"content":{"width":390,"height":2600},
             "anchor":{"id":"m42","position":1500}}
            """)
        #expect(held.map { $0["offset"]?["to"]?.number } == [1450])
        #expect(held.first?["offset"]?["duration"]?.number == 0)
        let answers = tester.send(
            #"{"type":"geometry","view":"chat","seq":6,"anchor":{"id":"m7","position":3}}"#)
        #expect(answers.isEmpty)
    }

    @Test("After a reset of the refresh edge, `lastUpdated` is null")
    func forgottenTime() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        let ended = try load(#"{"type":"refresh","view":"list","seq":2}"#, tester)
        #expect(ended[0]["lastUpdated"]?.number == 0)
        let messages = tester.send(#"{"type":"reset","view":"list","seq":3,"edge":"top"}"#)
        #expect(messages.first?["lastUpdated"] == .null)
        #expect(messages.first?["list"]?["count"]?.number == 2)
    }

    @Test("If all pending changes are withdrawn, no update is sent")
    func nothingToSend() {
        let tester = SessionTester()
        tester.open(extra: #","bottom":null"#)
        tester.send(#"{"type":"scroll","view":"list","seq":2,"offset":-5,"phase":"began"}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
        tester.send(#"{"type":"loadBegan","view":"list","seq":4,"load":"1.1"}"#)
        let messages = tester.send(
            """
            [{"type":"scroll","view":"list","seq":5,"offset":-5,"phase":"ended"},
             {"type":"scroll","view":"list","seq":6,"offset":-5,"phase":"began"}]
            """)
        #expect(messages.isEmpty)
        let released = tester.send(
            #"{"type":"scroll","view":"list","seq":7,"offset":-5,"phase":"ended"}"#)
        #expect(released.first?["inset"]?["top"]?.number == 60)
    }

    @Test(
        "The result of a refresh is shown for successHold, and its items are sent at once")
    func heldResult() throws {
        let tester = SessionTester(limits: SessionTester.patient)
        tester.open(feed: "songs", extra: #","top":{"successHold":400,"closing":"animated"}"#)
        let ended = try load(#"{"type":"refresh","view":"list","seq":2}"#, tester)
        #expect(ended.map { $0["type"]?.string } == ["update", "items"])
        #expect(ended[0]["top"]?["state"]?.string == "succeeded")
        #expect(ended[0]["list"]?["count"]?.number == 2)
        #expect(ended[0]["lastUpdated"]?.number == 0)
        #expect(tester.session.nextDeadline == Instant(milliseconds: 400))
        let finishing = tester.wake(at: 400)
        #expect(finishing.first?["top"]?["state"]?.string == "finishing")
        #expect(finishing.first?["inset"]?["top"]?.number == 0)
        #expect(tester.session.nextDeadline == Instant(milliseconds: 500))
        #expect(tester.wake(at: 500).first?["top"]?["state"]?.string == "idle")
        #expect(tester.session.nextDeadline == nil)
    }

    @Test("A queued refresh begins when the running load has ended")
    func queued() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"whileLoading":"queue"}"#)
        _ = try load(#"{"type":"refresh","view":"list","seq":2}"#, tester)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let waiting = tester.send(#"{"type":"refresh","view":"list","seq":4}"#)
        #expect(waiting.map { $0["top"]?["state"]?.string } == ["triggered"])
        #expect(tester.dispatcher.started.count == 2)
        let (page, _) = try #require(tester.dispatcher.started.last)
        let before = tester.channel.frames.count
        tester.session.handle(
            .load(page, .ended(.page(Page(items: Array("[]".utf8), count: 0)))), at: tester.now)
        #expect(tester.dispatcher.started.count == 3)
        #expect(tester.dispatcher.started.last?.1.kind == .refresh)
        let resumed = tester.messages(from: before)
        #expect(resumed.contains { $0["top"]?["state"]?.string == "refreshing" })
        #expect(resumed.contains { $0["phase"]?.string == "began" })
        #expect(tester.dispatcher.cancelled.isEmpty)
    }

    @Test("A view that appears is refreshed only if its list is stale")
    func stale() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"staleAfter":1000}"#)
        let first = try load(#"{"type":"appear","view":"list","seq":2}"#, tester)
        #expect(first.contains { $0["type"]?.string == "items" })
        tester.now = Instant(milliseconds: 999)
        #expect(tester.send(#"{"type":"appear","view":"list","seq":3}"#).isEmpty)
        tester.now = Instant(milliseconds: 1000)
        let again = tester.send(#"{"type":"appear","view":"list","seq":4}"#)
        #expect(again.first?["top"]?["cause"]?.string == "stale")
        #expect(tester.dispatcher.started.count == 2)
    }

    @Test("Within coolDown after a success, a refresh by the user is ignored")
    func coolDown() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"coolDown":500}"#)
        _ = try load(#"{"type":"refresh","view":"list","seq":2}"#, tester)
        #expect(tester.send(#"{"type":"refresh","view":"list","seq":3,"cause":"key"}"#).isEmpty)
        tester.now = Instant(milliseconds: 500)
        tester.send(#"{"type":"refresh","view":"list","seq":4,"cause":"key"}"#)
        #expect(tester.dispatcher.started.count == 2)
    }

    @Test("A reset of the load-more edge empties the list; a reset of a missing edge is a fault")
    func reset() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        _ = try load(#"{"type":"refresh","view":"list","seq":2}"#, tester)
        let forgotten = tester.send(#"{"type":"reset","view":"list","seq":3,"edge":"bottom"}"#)
        #expect(forgotten.map { $0["list"]?["count"]?.number } == [0])
        #expect(
            tester.send(#"{"type":"reset","view":"list","seq":4,"edge":"leading"}"#)
                .map { $0["code"]?.string } == ["missingEdge"])
    }

    @Test("A floor message opens or closes the second floor")
    func floor() {
        let tester = SessionTester()
        tester.open(extra: #","announcements":true,"top":{"floor":{"length":150,"duration":200}}"#)
        let opening = tester.send(#"{"type":"floor","view":"list","seq":2,"open":true}"#)
        #expect(opening.first?["floor"]?["state"]?.string == "opening")
        #expect(opening.first?["floor"]?["progress"] == nil)
        #expect(opening.first?["inset"]?["top"]?.number == 800)
        #expect(opening.first?["offset"]?["to"]?.number == -800)
        #expect(opening.first?["announce"]?.array == [.string("floorOpened")])
        #expect(tester.wake(at: 200).first?["floor"]?["state"]?.string == "open")
        let closing = tester.send(#"{"type":"floor","view":"list","seq":3,"open":false}"#)
        #expect(closing.first?["floor"]?["state"]?.string == "closing")
        #expect(closing.first?["inset"]?["top"]?.number == 0)
        #expect(tester.wake(at: 400).first?["floor"]?["state"]?.string == "closed")
    }

    @Test("Announcements are sent in order, and only to views that ask for them")
    func announcements() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","announcements":true,"haptics":false"#)
        let began = tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(began.first?["announce"]?.array == [.string("refreshing")])
        tester.channel.isWritable = false
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":4}"#)
        tester.channel.isWritable = true
        let before = tester.channel.frames.count
        tester.session.handle(.writable, at: tester.now)
        let update = tester.messages(from: before).first { $0["type"]?.string == "update" }
        #expect(
            update?["announce"]?.array == [.string("refreshCancelled"), .string("refreshing")])
        let silent = SessionTester()
        silent.open()
        let answer = silent.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(answer.allSatisfy { $0["announce"] == nil })
    }

    /// Sends a message that starts a load, and answers the load with a page of two items. Returns
    /// the messages that the session sends after the answer.
    private func load(_ message: String, _ tester: SessionTester) throws -> [JSONValue] {
        tester.send(message)
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        let before = tester.channel.frames.count
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: Array("[1,2]".utf8), count: 2, more: true)))),
            at: tester.now)
        return tester.messages(from: before)
    }
}

extension SessionTester {
    /// Wakes the session at `milliseconds`, and returns the messages that it sends.
    fileprivate func wake(at milliseconds: Double) -> [JSONValue] {
        now = Instant(milliseconds: milliseconds)
        let before = channel.frames.count
        session.handle(.wake, at: now)
        return messages(from: before)
    }
}
