import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// What must not be lost, duplicated or mixed up while a session moves from one connection to
/// another.
@Suite("A session between two connections")
struct ResumeLossTests {
    @Test("A session does not resume if the client lacks items that were sent")
    func lostItems() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        fixture.answerLast()
        #expect(first.receive().first("items") != nil)
        first.hangUp()
        let received = fixture.connect().resume(welcome)
        #expect(received[0]["reason"]?.string == "resultsLost")
        // No client can resume this session any more.
        #expect(fixture.total.detached == 0 && fixture.total.views == 0)
        #expect(
            fixture.connect().resume(welcome, received: ["1.1"])[0]["reason"]?.string
                == "unknownSession")
    }

    @Test("A session resumes if lost items belong to a view that the client does not show any more")
    func lostItemsOfUnknownLoads() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(
            #"{"type":"attach","seq":2,"view":"other","profile":"uikit","feed":"songs"}"#)
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast()
        first.hangUp()
        let received = fixture.connect().resume(
            welcome, extra: #","views":[{"view":"other","profile":"uikit","feed":"songs"}]"#)
        #expect(received.types == ["welcome", "attached", "update"])
        #expect(received[1]["view"]?.string == "other")
        #expect(fixture.total.views == 1)
    }

    @Test("A detached session is lost if its queue exceeds the limit")
    func tooMuchWaits() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        fixture.answerLast(10_000)
        let received = fixture.connect().resume(welcome)
        #expect(received[0]["reason"]?.string == "resultsLost")
    }

    @Test("If the queue of a slow client overflows, its session is lost")
    func slowClient() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.setWritable(false)
        fixture.answerLast(10_000)
        #expect(first.channel.closed == .slow)
        first.hangUp()
        #expect(fixture.connect().resume(welcome)[0]["reason"]?.string == "resultsLost")
    }

    @Test("If a client that does not read is disconnected, its queue is kept for the resume")
    func cutWhileWaiting() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.setWritable(false)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        fixture.answerLast()
        fixture.hosts[0].end(first.session, because: .idleClient, at: fixture.now)
        #expect(first.channel.closed == .idle)
        first.hangUp()
        let received = fixture.connect(to: 1).resume(welcome)
        // The load has begun and ended in the meantime. Messages about the lost connection itself
        // are not repeated.
        #expect(received.types == ["welcome", "attached", "update", "loading", "items"])
        #expect(received[3]["phase"]?.string == "began")
    }

    @Test("If a client repeats messages, only those that were not handled before are handled")
    func repeated() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        first.hangUp()
        let second = fixture.connect(to: 1)
        let received = second.send(
            #"[{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))},"#
                + #"{"type":"refresh","view":"list","seq":3},{"type":"nonsense","seq":2},"#
                + #"{"type":"cancel","view":"list","seq":4}]"#)
        #expect(
            received.types == ["welcome", "attached", "update", "loading", "loading"],
            "\(received.types)")
        #expect(received.last?["phase"]?.string == "cancelled")
        #expect(fixture.total.repeatedMessages == 2 && fixture.dispatcher.started.count == 1)
        // In later frames, a sequence number that is not larger than the last one is a fault.
        let stale = second.send(#"{"type":"refresh","view":"list","seq":3}"#)
        #expect(stale.first?["code"]?.string == "staleSequence")
    }

    @Test("Messages that arrive before the `welcome` wait, and are handled in order after it")
    func held() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(feed: nil)
        first.hangUp()
        let second = fixture.connect(to: 1)
        second.feed(#"{"type":"ping","t":1}"#)
        second.feed(
            #"[{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))},{"type":"begin","view":"list","seq":2}]"#
        )
        second.feed(#"{"type":"end","view":"list","seq":3,"animated":false}"#)
        second.feed(#"{"type":"ping","t":2}"#)
        #expect(second.receive().types == ["pong"])
        fixture.settle()
        let received = second.receive()
        #expect(received.types == ["welcome", "attached", "update", "pong"])
        #expect(received[3]["ack"]?.number == 3)
        #expect(received[2]["inset"]?["top"]?.number == 0)
    }

    @Test("When the session has moved to a connection, paused reading from it continues")
    func heldBack() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        limits.framesPerSecondMax = 1_000_000
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open(feed: nil)
        first.hangUp()
        let second = fixture.connect(to: 1)
        second.setWritable(false)
        let pings = Array(repeating: #"{"type":"ping","t":1}"#, count: 60).joined(separator: ",")
        for _ in 0..<2 { second.feed("[\(pings)]") }
        #expect(!second.channel.isReadingPaused)
        second.feed(
            #"[\#(pings),{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}]"#)
        #expect(second.channel.isReadingPaused && fixture.total.holdsBegun == 1)
        fixture.settle()
        second.setWritable(true)
        #expect(second.receive().types.contains("welcome"))
        #expect(!second.channel.isReadingPaused && fixture.total.holdsEnded == 1)
    }

    @Test("Too much data before the `welcome` closes the connection", arguments: [1, 4])
    func heldTooMuch(_ frames: Int) {
        var limits = Limits()
        limits.frameBytesMax = 1024
        let fixture = HostFixture(limits: limits)
        let client = fixture.connect()
        client.feed(
            #"{"type":"hello","protocol":1,"resume":{"session":"gone","token":"t"}}"#)
        let frame = #"{"type":"ping","t":1}"# + String(repeating: " ", count: 600)
        for _ in 0..<frames { client.feed(frame) }
        #expect((client.channel.closed == .tooFast) == (frames == 4))
        fixture.settle()
        #expect(client.receive().contains { $0["type"]?.string == "welcome" } == (frames == 1))
    }

    @Test("If the handoff does not end in time, the client gets a fresh session")
    func noAnswer() {
        let fixture = HostFixture()
        let first = fixture.connect(to: 1)
        let welcome = first.open()
        first.hangUp()
        let second = fixture.connect()
        second.feed(
            #"[{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))},{"type":"ping","t":3}]"#
        )
        fixture.now.microseconds += 10_000_000
        fixture.hosts[0].wakeupFired(at: fixture.now)
        let received = second.receive()
        #expect(received.types == ["welcome", "pong"])
        #expect(received[0]["reason"]?.string == "unknownSession")
        // The session arrives too late. It waits for a client with its token.
        fixture.settle()
        #expect(fixture.total.detached == 1)
        #expect(fixture.connect().resume(welcome)[0]["resumed"]?.bool == true)
    }

    @Test("If the client disconnects during the handoff, its session and its token are kept")
    func disconnect() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = fixture.connect(to: 1)
        second.feed(#"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#)
        fixture.loops[1].runOne(at: fixture.now)
        fixture.loops[0].runOne(at: fixture.now)
        // The session is in transit.
        #expect(fixture.total.detached == 0)
        second.hangUp()
        #expect(fixture.total.detached == 1)
        fixture.answerLast()
        let received = fixture.connect().resume(welcome)
        #expect(received.types == ["welcome", "attached", "update", "items"])
        #expect(fixture.total.lateAnswersWithoutSession == 0)
    }

    @Test("A result at any moment of a move is delivered once", arguments: 0..<4, [true, false])
    func eventInBetween(_ moment: Int, _ isTwice: Bool) {
        let fixture = HostFixture(loops: 3)
        let first = fixture.connect()
        var welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        if isTwice {
            let between = fixture.connect(to: 2)
            welcome = between.resume(welcome)[0]
            between.hangUp()
        }
        let second = fixture.connect(to: 1)
        second.feed(#"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#)
        let jobs = [1, isTwice ? 2 : 0, 1]
        for loop in jobs[..<moment] { fixture.loops[loop].runOne(at: fixture.now) }
        fixture.answerLast()
        #expect(second.receive().all("items").count == 1)
        #expect(fixture.total.lateAnswersWithoutSession == 0 && fixture.total.lateAnswers == 0)
    }

    @Test("If two connections present the same token, the later connection gets the session")
    func twoClaims() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.hangUp()
        let rivals = [fixture.connect(to: 0), fixture.connect(to: 1)]
        for rival in rivals {
            rival.feed(#"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#)
        }
        fixture.settle()
        let received = rivals.map { $0.receive() }
        // Both connections had the token. The later connection has the session, and the other one
        // receives the reason.
        let open = rivals.indices.filter { rivals[$0].channel.closed == nil }
        #expect(open.count == 1)
        #expect(rivals.compactMap { $0.channel.closed?.rawValue } == [4005])
        for index in open {
            #expect(received[index].first("welcome")?["resumed"]?.bool == true)
            #expect(received[index].first("welcome")?["session"] == welcome["session"])
            let answer = rivals[index].send(#"{"type":"refresh","view":"list","seq":2}"#)
            #expect(answer.types == ["update", "loading"])
        }
        #expect(fixture.total.views == 1 && fixture.total.detached == 0)
    }

    @Test("While a client is disconnected, its gesture ends and its load times out")
    func time() {
        var limits = Limits()
        limits.loadDeadlineMs = 20_000
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open(
            extra: #","client":"x""#, views: ["list", "other"])
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.send(#"{"type":"scroll","view":"other","seq":3,"offset":-30,"phase":"began"}"#)
        let pulled = first.send(
            #"{"type":"scroll","view":"other","seq":4,"offset":-64,"phase":"dragging"}"#)
        #expect(pulled.first("update")?["top"]?["state"]?.string == "eligible")
        first.hangUp()
        fixture.pass(milliseconds: 25_000)
        let received = fixture.connect(to: 1).resume(welcome)
        #expect(
            received.types == ["welcome", "attached", "update", "attached", "update", "loading"])
        let states = received.all("update").map { $0["top"]?["state"]?.string }
        #expect(states == ["idle", "pulling"])
        #expect(received.last?["phase"]?.string == "timedOut")
    }
}
