import RefreshBroker
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("A session")
struct SessionTests {
    @Test("A hello with a view is answered with welcome and attached in one frame")
    func opens() {
        let tester = SessionTester()
        let answer = tester.send(
            """
            {"type":"hello","protocol":1,"views":[{"view":"list","profile":"uikit"}]}
            """)
        #expect(answer.map { $0["type"]?.string } == ["welcome", "attached"])
        #expect(answer[0]["limits"]?["frameBytesMax"]?.number == 65_536)
        #expect(answer[1]["top"]?["state"]?.string == "idle")
        #expect(answer[1]["generation"]?.number == 1)
        #expect(tester.channel.frames.count == 1)
    }

    @Test("A pull sends only changed values, and its release requests a load from the client")
    func pullsAndFires() {
        let tester = SessionTester()
        tester.open()
        tester.send(#"{"type":"scroll","view":"list","seq":2,"offset":0,"phase":"began"}"#)
        let pulling = tester.send(
            #"{"type":"scroll","view":"list","seq":3,"offset":-30,"phase":"dragging"}"#)
        #expect(
            tester.channel.frames.last
                == #"{"type":"update","view":"list","ack":3,"top":{"state":"pulling","progress":0.5,"#
                + #""indicator":{"progress":0.5,"alpha":0.5}}}"#)
        #expect(pulling.count == 1)
        tester.send(#"{"type":"scroll","view":"list","seq":4,"offset":-60,"phase":"dragging"}"#)
        let fired = tester.send(
            #"{"type":"scroll","view":"list","seq":5,"offset":-60,"phase":"ended"}"#)
        #expect(fired.map { $0["type"]?.string } == ["update", "load"])
        #expect(fired[0]["top"]?["state"]?.string == "refreshing")
        #expect(fired[0]["top"]?["cause"]?.string == "finger")
        #expect(fired[0]["inset"]?["top"]?.number == 60)
        #expect(fired[0]["haptic"]?.array == [.string("impact")])
        #expect(fired[1]["load"]?.string == "1.1")
        #expect(fired[1]["trigger"]?.string == "refreshControl")
        let done = tester.send(
            #"{"type":"loadFinished","view":"list","seq":6,"load":"1.1","result":"success","count":50}"#
        )
        #expect(done.count == 1)
        #expect(done[0]["top"]?["state"]?.string == "idle")
        #expect(done[0]["top"]?["result"]?.string == "success")
        #expect(done[0]["inset"]?["top"]?.number == 0)
    }

    @Test("A scroll in the middle of the list is not answered")
    func isSilentInTheMiddle() {
        let tester = SessionTester()
        tester.open()
        for (seq, offset) in [(2, 1000), (3, 1100), (4, 900)] {
            let answer = tester.send(
                #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(offset),"phase":"dragging"}"#
            )
            #expect(answer.isEmpty)
        }
    }

    @Test("A load delivers its items byte for byte, and a failed load reports its failure")
    func brokers() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","parameters":{"q":"x"}"#)
        let began = tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(began.map { $0["type"]?.string } == ["update", "loading"])
        let (ticket, request) = try #require(tester.dispatcher.started.first)
        #expect(request.feed == "songs" && request.page == 1 && request.size == 10)
        #expect(request.parameters == [LoadParameter(name: "q", value: .text("x"))])
        let items = #"[{"a" : 1.50},  "x"]"#
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: Array(items.utf8), count: 2, more: true)))),
            at: tester.now)
        #expect(tester.channel.frames[start].contains(#""items":\#(items)}"#))
        let messages = tester.messages(from: start)
        #expect(messages.map { $0["type"]?.string } == ["update", "items"])
        #expect(messages[1]["mode"]?.string == "replace" && messages[1]["more"]?.bool == true)

        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let more = try #require(tester.dispatcher.started.last)
        #expect(more.1.page == 2 && more.1.kind == .more)
        let next = tester.channel.frames.count
        tester.session.handle(
            .load(
                more.0,
                .ended(.failed(LoadFailure(.backendFailed, "status 500", retryAfterMs: 200)))),
            at: tester.now)
        let failed = tester.messages(from: next)
        #expect(failed[0]["bottom"]?["state"]?.string == "failed")
        #expect(failed[1]["phase"]?.string == "failed")
        #expect(failed[1]["code"]?.string == "backendFailed")
        #expect(failed[1]["retryAfterMs"]?.number == 200)
    }

    @Test("An answer to a load that is not current is dropped and counted")
    func dropsLateAnswers() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.first)
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        #expect(tester.dispatcher.cancelled == [ticket])
        let before = tester.channel.frames.count
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: [], count: 0)))), at: tester.now)
        #expect(tester.channel.frames.count == before)
        #expect(tester.metrics.snapshot.lateAnswers == 1)
    }

    @Test("For a client that does not read, updates merge into one with the newest state")
    func mergesForFrozenClients() {
        let tester = SessionTester()
        tester.open()
        let before = tester.channel.frames.count
        tester.channel.isWritable = false
        for index in 1...510 {
            tester.send(
                """
                {"type":"scroll","view":"list","seq":\(index + 1),"offset":-\(index % 50),
                 "phase":"dragging"}
                """)
        }
        #expect(tester.channel.frames.count == before)
        #expect(tester.channel.wantsWritable)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        let messages = tester.messages(from: before)
        #expect(messages.count == 1)
        #expect(messages[0]["ack"]?.number == 511)
        #expect(messages[0]["top"]?["state"]?.string == "pulling")
        #expect(messages[0]["top"]?["progress"]?.number == 10.0 / 60)
    }

    @Test("A client for which too much output waits is closed with 4101")
    func givesUpSlowClients() throws {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let tester = SessionTester(limits: limits)
        tester.open(feed: "songs")
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.first)
        tester.channel.isWritable = false
        let items = "[\"" + String(repeating: "x", count: 70_000) + "\"]"
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: Array(items.utf8), count: 1)))), at: tester.now)
        #expect(tester.channel.closed == .slow)
    }

    @Test("A connection without a hello within the time limit is closed")
    func wantsHello() {
        let tester = SessionTester()
        let refused = tester.send(#"{"type":"refresh","view":"list","seq":1}"#)
        #expect(refused[0]["code"]?.string == "helloRequired")
        #expect(tester.session.nextDeadline == Instant(milliseconds: 10_000))
        tester.session.handle(.wake, at: Instant(milliseconds: 9_999))
        #expect(tester.channel.closed == nil)
        tester.session.handle(.wake, at: Instant(milliseconds: 10_000))
        #expect(tester.channel.closed == .helloTimeout)
    }

    @Test("When a session ends with its connection, its loads are cancelled")
    func cancelsLoads() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.first)
        tester.session.handle(.closed, at: tester.now)
        #expect(tester.dispatcher.cancelled == [ticket])
        #expect(tester.metrics.snapshot.viewsDetached == 1)
        #expect(tester.session.nextDeadline == nil)
    }

    @Test("A bye is answered with bye, and the connection closes normally")
    func saysBye() {
        let tester = SessionTester()
        tester.open()
        let answer = tester.send(#"[{"type":"bye"},{"type":"ping","t":1}]"#)
        #expect(answer.map { $0["type"]?.string } == ["bye"])
        #expect(tester.channel.closed == .normal)
    }
}
