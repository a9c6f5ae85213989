import RefreshBroker
import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Who may have a session that somebody else has by now. Source: docs/protocol.md, "Coming back";
/// docs/threat-model.md.
@Suite("A session that two want")
struct TakeoverTests {
    /// The time of the world, as all daemons know it.
    private final class Wall: Sendable {
        let milliseconds = Mutex<Int64>(1_795_262_400_000)

        func read() -> Int64 { milliseconds.withLock { $0 } }
    }

    private let wall = Wall()
    private let keys = KeyRing.ephemeral()

    private func world(drawn: UInt64 = 0) -> HostWorld {
        let wall = wall
        return HostWorld(
            drawn: drawn,
            seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { wall.read() }))
    }

    @Test("an answer that comes while the session is handed over on its own loop is not lost")
    func answerDuringHandOver() throws {
        let world = HostWorld(loops: 1)
        let client = world.connect()
        let welcome = client.open()
        client.say(#"{"type":"refresh","view":"list","seq":1}"#)
        let (ticket, _) = try #require(world.dispatcher.started.last)
        let other = world.connect()
        other.feed(#"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#)
        // The session is looked for, and found there; behind its release comes the answer, and
        // behind that the session.
        world.loops[0].runOne(at: world.now)
        world.tell(.ended(.page(HostWorld.page(3))), of: ticket)
        world.settle()
        let messages = other.take()
        #expect(messages.first("welcome")?["resumed"]?.bool == true)
        #expect(messages.first("items")?["count"]?.number == 3)
        #expect(world.total.orphanedLoads == 0)
    }

    private func pass(milliseconds: Int64, in world: HostWorld) {
        wall.milliseconds.withLock { $0 += milliseconds }
        world.pass(milliseconds: Double(milliseconds))
    }

    /// Comes back to the session of `welcome`, with a snapshot; what answers.
    private func comeBack(
        _ welcome: JSONValue, _ sealed: String, to client: HostClient
    ) -> [JSONValue] {
        let resume = HostClient.resume(welcome, extra: #","snapshot":"\#(sealed)""#)
        return client.say(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
    }

    private func sealed(_ told: [JSONValue]) -> String {
        told.last { $0["sealed"] != nil }?["sealed"]?.string ?? ""
    }

    @Test("who comes back to a session that lives without views is refused at once")
    func aliveWithoutViews() {
        let world = world()
        let first = world.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        let sealed = sealed(first.say(#"{"type":"snapshot"}"#))
        first.say(#"{"type":"detach","view":"list","seq":2}"#)
        let second = world.connect(to: 1)
        let resume = HostClient.resume(welcome, extra: #","snapshot":"\#(sealed)""#)
        second.feed(#"{"type":"hello","protocol":1,\#(resume)}"#)
        var jobs = 0
        while let busy = world.loops.first(where: { !$0.isIdle }), jobs < 100 {
            busy.runOne(at: world.now)
            jobs += 1
        }
        #expect(jobs < 100)
        let told = second.take()
        #expect(told.first?["reason"]?.string == "unknownSession")
        #expect(first.say(#"{"type":"ping","t":1}"#).types == ["pong"])
    }

    @Test(
        "a token is void when its window is over, also if nobody speaks and however often it was used"
    )
    func oldTokenOfASilentOwner() {
        let world = world()
        let owner = world.connect()
        let old = owner.open()
        // A thief comes again and again with the token that was stolen.
        var latest = world.connect(to: 1).comeBack(old)[0]
        for _ in 0..<6 {
            world.pass(milliseconds: 9_900)
            let told = world.connect(to: 1).comeBack(old)
            #expect(told[0]["resumed"]?.bool == true)
            latest = told[0]
        }
        world.pass(milliseconds: 599)
        latest = world.connect().comeBack(old)[0]
        #expect(latest["resumed"]?.bool == true)
        world.pass(milliseconds: 1)
        #expect(world.connect().comeBack(old)[0]["reason"]?.string == "wrongToken")
        #expect(world.connect().comeBack(latest)[0]["resumed"]?.bool == true)
    }

    @Test("a welcome that was lost costs a patient client nothing")
    func lateReturn() {
        let world = world()
        let first = world.connect()
        let welcome = first.open()
        let second = world.connect(to: 1)
        // It answers at once what came right behind `hello`, and nobody hears it.
        let hello = #"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#
        second.say(#"[\#(hello),{"type":"ping","t":1}]"#)
        world.pass(milliseconds: 40_000)
        #expect(world.connect().comeBack(welcome)[0]["resumed"]?.bool == true)
    }

    @Test(
        "what was said late on a connection that was given up does not take the session away",
        arguments: [false, true])
    func lateHello(_ hasSnapshot: Bool) {
        let world = world()
        let first = world.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        let snapshot = sealed(first.take() + first.say(#"{"type":"snapshot"}"#))
        first.hangUp()
        world.pass(milliseconds: 1)
        let stalled = world.connect()
        world.pass(milliseconds: 1)
        let living = world.connect(to: 1)
        #expect(living.comeBack(welcome)[0]["resumed"]?.bool == true)
        // Of these the late one knows nothing.
        world.answerLast(10)
        #expect(living.take().first("items") != nil)
        let late =
            hasSnapshot
            ? comeBack(welcome, snapshot, to: stalled) : stalled.comeBack(welcome)
        #expect(late[0]["reason"]?.string == "wrongToken")
        #expect(living.channel.closed == nil && world.total.views == 1)
        #expect(living.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        // A later one has not heard of the newer token.
        let received = ["1.1"]
        #expect(world.connect().comeBack(welcome, received: received)[0]["resumed"]?.bool == true)
        #expect(living.channel.closed == .sessionTaken)
    }

    @Test(
        "a void token and its snapshot are not made good by another daemon",
        arguments: [0, -90_000])
    func laundered(_ setBack: Int64) {
        let (home, elsewhere) = (world(), world(drawn: 1000))
        let first = home.connect()
        let old = first.open(extra: #","snapshots":true"#)
        let stolen = sealed(first.say(#"{"type":"snapshot"}"#))
        first.hangUp()
        pass(milliseconds: 100, in: home)
        let owner = home.connect()
        let own = comeBack(old, stolen, to: owner)
        pass(milliseconds: 10_000, in: home)
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        // The world's clock may be set meanwhile, in either direction.
        pass(milliseconds: 60_000, in: home)
        wall.milliseconds.withLock { $0 += setBack }

        let loot = comeBack(old, stolen, to: elsewhere.connect())
        #expect(loot[0]["resumed"]?.bool == true)
        pass(milliseconds: 1000, in: elsewhere)
        for (token, snapshot) in [(old, stolen), (loot[0], sealed(loot))] {
            let told = comeBack(token, snapshot, to: home.connect(to: 1))
            #expect(told[0]["reason"]?.string == "wrongToken")
        }
        #expect(owner.channel.closed == nil)
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        // The owner has the newer one there, too.
        let back = comeBack(own[0], sealed(own), to: elsewhere.connect())
        #expect(back[0]["resumed"]?.bool == true)
    }

    @Test("who never heard a welcome and was elsewhere since has the session, and nobody else")
    func unheardWelcome() {
        let (home, elsewhere) = (world(), world(drawn: 1000))
        let first = home.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        let snapshot = sealed(first.say(#"{"type":"snapshot"}"#))
        first.hangUp()
        let unheard = home.connect()
        #expect(comeBack(welcome, snapshot, to: unheard)[0]["resumed"]?.bool == true)
        unheard.hangUp()
        pass(milliseconds: 5_000, in: home)
        let told = comeBack(welcome, snapshot, to: elsewhere.connect())
        #expect(told[0]["resumed"]?.bool == true)
        let back = comeBack(told[0], sealed(told), to: home.connect(to: 1))
        #expect(back[0]["resumed"]?.bool == true && home.total.views == 1)
    }

    @Test("an older snapshot and its token do not keep the session from who has newer ones")
    func olderSnapshotFirst() {
        let before = world()
        let first = before.connect()
        let old = first.open(extra: #","snapshots":true"#)
        let stolen = sealed(first.say(#"{"type":"snapshot"}"#))
        first.hangUp()
        pass(milliseconds: 100, in: before)
        let told = comeBack(old, stolen, to: before.connect())
        let (newer, own) = (told[0], sealed(told))
        #expect(newer["resumed"]?.bool == true)

        // The daemon is another now, and the thief is quicker.
        let after = world(drawn: 1000)
        pass(milliseconds: 60_000, in: after)
        let thief = after.connect()
        let loot = comeBack(old, stolen, to: thief)
        #expect(loot[0]["resumed"]?.bool == true)
        pass(milliseconds: 20_000, in: after)
        let owner = after.connect(to: 1)
        let back = comeBack(newer, own, to: owner)
        #expect(back[0]["resumed"]?.bool == true && back[0]["session"] == old["session"])
        #expect(thief.channel.closed == .sessionTaken)
        pass(milliseconds: 20_000, in: after)
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        // Neither the old pair nor what it was good for brings the session back to the thief.
        let pairs = [("stolen", old, stolen), ("loot", loot[0], sealed(loot)), ("own", newer, own)]
        for (name, token, text) in pairs {
            let refused = comeBack(token, text, to: after.connect())
            #expect(refused[0]["reason"]?.string == "wrongToken", Comment(rawValue: name))
        }
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
    }
}
