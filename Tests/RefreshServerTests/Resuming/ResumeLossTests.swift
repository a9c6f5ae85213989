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
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        world.answerLast()
        #expect(first.take().first("items") != nil)
        first.hangUp()
        let told = world.connect().comeBack(welcome)
        #expect(told[0]["reason"]?.string == "resultsLost")
        // Nobody can resume this session any more.
        #expect(world.total.detached == 0 && world.total.views == 0)
        #expect(
            world.connect().comeBack(welcome, received: ["1.1"])[0]["reason"]?.string
                == "unknownSession")
    }

    @Test("A session resumes if lost items belong to a view that the client does not show any more")
    func lostItemsOfNobody() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(
            #"{"type":"attach","seq":2,"view":"other","profile":"uikit","feed":"songs"}"#)
        first.say(#"{"type":"refresh","view":"list","seq":3}"#)
        world.answerLast()
        first.hangUp()
        let told = world.connect().comeBack(
            welcome, extra: #","views":[{"view":"other","profile":"uikit","feed":"songs"}]"#)
        #expect(told.types == ["welcome", "attached", "update"])
        #expect(told[1]["view"]?.string == "other")
        #expect(world.total.views == 1)
    }

    @Test("A detached session is lost if its queue exceeds the limit")
    func tooMuchWaits() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        world.answerLast(10_000)
        let told = world.connect().comeBack(welcome)
        #expect(told[0]["reason"]?.string == "resultsLost")
    }

    @Test("If the queue of a slow client overflows, its session is lost")
    func slowClient() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.setWritable(false)
        world.answerLast(10_000)
        #expect(first.channel.closed == .slow)
        first.hangUp()
        #expect(world.connect().comeBack(welcome)[0]["reason"]?.string == "resultsLost")
    }

    @Test("If a client that does not read is disconnected, its queue is kept for the resume")
    func cutWhileWaiting() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.setWritable(false)
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        world.answerLast()
        world.hosts[0].end(first.session, because: .idleClient, at: world.now)
        #expect(first.channel.closed == .idle)
        first.hangUp()
        let told = world.connect(to: 1).comeBack(welcome)
        // The load has begun and ended in the meantime. Messages about the lost connection itself
        // are not repeated.
        #expect(told.types == ["welcome", "attached", "update", "loading", "items"])
        #expect(told[3]["phase"]?.string == "began")
    }

    @Test("If a client repeats messages, only those that were not handled before are handled")
    func repeated() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":3}"#)
        first.hangUp()
        let second = world.connect(to: 1)
        let told = second.say(
            #"[{"type":"hello","protocol":1,\#(HostClient.resume(welcome))},"#
                + #"{"type":"refresh","view":"list","seq":3},{"type":"nonsense","seq":2},"#
                + #"{"type":"cancel","view":"list","seq":4}]"#)
        #expect(
            told.types == ["welcome", "attached", "update", "loading", "loading"], "\(told.types)")
        #expect(told.last?["phase"]?.string == "cancelled")
        #expect(world.total.repeatedMessages == 2 && world.dispatcher.started.count == 1)
        // In later frames, a number that is not larger than the last one is a fault as usual.
        let stale = second.say(#"{"type":"refresh","view":"list","seq":3}"#)
        #expect(stale.first?["code"]?.string == "staleSequence")
    }

    @Test("Messages that are sent before the `welcome` are held, and handled in order after it")
    func held() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(feed: nil)
        first.hangUp()
        let second = world.connect(to: 1)
        second.feed(#"{"type":"ping","t":1}"#)
        second.feed(
            #"[{"type":"hello","protocol":1,\#(HostClient.resume(welcome))},{"type":"begin","view":"list","seq":2}]"#
        )
        second.feed(#"{"type":"end","view":"list","seq":3,"animated":false}"#)
        second.feed(#"{"type":"ping","t":2}"#)
        #expect(second.take().types == ["pong"])
        world.settle()
        let told = second.take()
        #expect(told.types == ["welcome", "attached", "update", "pong"])
        #expect(told[3]["ack"]?.number == 3)
        #expect(told[2]["inset"]?["top"]?.number == 0)
    }

    @Test("A connection whose reading was paused is read again once the session has moved there")
    func heldBack() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        limits.framesPerSecondMax = 1_000_000
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open(feed: nil)
        first.hangUp()
        let second = world.connect(to: 1)
        second.setWritable(false)
        let pings = Array(repeating: #"{"type":"ping","t":1}"#, count: 60).joined(separator: ",")
        for _ in 0..<2 { second.feed("[\(pings)]") }
        #expect(!second.channel.isHeldBack)
        second.feed(#"[\#(pings),{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}]"#)
        #expect(second.channel.isHeldBack && world.total.holdsBegun == 1)
        world.settle()
        second.setWritable(true)
        #expect(second.take().types.contains("welcome"))
        #expect(!second.channel.isHeldBack && world.total.holdsEnded == 1)
    }

    @Test("Too much data before the `welcome` closes the connection", arguments: [1, 4])
    func heldTooMuch(_ frames: Int) {
        var limits = Limits()
        limits.frameBytesMax = 1024
        let world = HostWorld(limits: limits)
        let client = world.connect()
        client.feed(
            #"{"type":"hello","protocol":1,"resume":{"session":"gone","token":"t"}}"#)
        let frame = #"{"type":"ping","t":1}"# + String(repeating: " ", count: 600)
        for _ in 0..<frames { client.feed(frame) }
        #expect((client.channel.closed == .tooFast) == (frames == 4))
        world.settle()
        #expect(client.take().contains { $0["type"]?.string == "welcome" } == (frames == 1))
    }

    @Test("If the handoff does not end in time, the client gets a fresh session")
    func noAnswer() {
        let world = HostWorld()
        let first = world.connect(to: 1)
        let welcome = first.open()
        first.hangUp()
        let second = world.connect()
        second.feed(
            #"[{"type":"hello","protocol":1,\#(HostClient.resume(welcome))},{"type":"ping","t":3}]"#
        )
        world.now.microseconds += 10_000_000
        world.hosts[0].wakeupFired(at: world.now)
        let told = second.take()
        #expect(told.types == ["welcome", "pong"])
        #expect(told[0]["reason"]?.string == "unknownSession")
        // The session arrives too late. It waits for a client with its token.
        world.settle()
        #expect(world.total.detached == 1)
        #expect(world.connect().comeBack(welcome)[0]["resumed"]?.bool == true)
    }

    @Test("If the client disconnects during the handoff, its session and its token are kept")
    func clientGone() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = world.connect(to: 1)
        second.feed(#"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#)
        world.loops[1].runOne(at: world.now)
        world.loops[0].runOne(at: world.now)
        // The session is in transit.
        #expect(world.total.detached == 0)
        second.hangUp()
        #expect(world.total.detached == 1)
        world.answerLast()
        let told = world.connect().comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update", "items"])
        #expect(world.total.orphanedLoads == 0)
    }

    @Test("A result at any moment of a move is delivered once", arguments: 0..<4, [true, false])
    func newsInBetween(_ moment: Int, _ isTwice: Bool) {
        let world = HostWorld(loops: 3)
        let first = world.connect()
        var welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        if isTwice {
            let between = world.connect(to: 2)
            welcome = between.comeBack(welcome)[0]
            between.hangUp()
        }
        let second = world.connect(to: 1)
        second.feed(#"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#)
        let jobs = [1, isTwice ? 2 : 0, 1]
        for loop in jobs[..<moment] { world.loops[loop].runOne(at: world.now) }
        world.answerLast()
        #expect(second.take().all("items").count == 1)
        #expect(world.total.orphanedLoads == 0 && world.total.staleLoads == 0)
    }

    @Test("If two connections present one token, the later one gets the session")
    func twoClaims() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.hangUp()
        let rivals = [world.connect(to: 0), world.connect(to: 1)]
        for rival in rivals {
            rival.feed(#"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#)
        }
        world.settle()
        let told = rivals.map { $0.take() }
        // Both had the token. The later connection has the session, and the other one receives the
        // reason.
        let open = rivals.indices.filter { rivals[$0].channel.closed == nil }
        #expect(open.count == 1)
        #expect(rivals.compactMap { $0.channel.closed?.rawValue } == [4005])
        for index in open {
            #expect(told[index].first("welcome")?["resumed"]?.bool == true)
            #expect(told[index].first("welcome")?["session"] == welcome["session"])
            let said = rivals[index].say(#"{"type":"refresh","view":"list","seq":2}"#)
            #expect(said.types == ["update", "loading"])
        }
        #expect(world.total.views == 1 && world.total.detached == 0)
    }

    @Test("While a client is disconnected, its gesture ends and its load times out")
    func time() {
        var limits = Limits()
        limits.loadDeadlineMs = 20_000
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open(
            extra: #","client":"x""#, views: ["list", "other"])
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.say(#"{"type":"scroll","view":"other","seq":3,"offset":-30,"phase":"began"}"#)
        let pulled = first.say(
            #"{"type":"scroll","view":"other","seq":4,"offset":-64,"phase":"dragging"}"#)
        #expect(pulled.first("update")?["top"]?["state"]?.string == "eligible")
        first.hangUp()
        world.pass(milliseconds: 25_000)
        let told = world.connect(to: 1).comeBack(welcome)
        #expect(
            told.types == ["welcome", "attached", "update", "attached", "update", "loading"])
        let states = told.all("update").map { $0["top"]?["state"]?.string }
        #expect(states == ["idle", "pulling"])
        #expect(told.last?["phase"]?.string == "timedOut")
    }
}
