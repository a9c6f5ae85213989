import RefreshBroker
import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Who may resume a session that another client has resumed. Source: docs/protocol.md, "Coming
/// back"; docs/threat-model.md.
@Suite("A session that two clients want")
struct TakeoverTests {
    /// The wall clock of all daemons.
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

    @Test("An answer that arrives during a handoff within one loop is not lost")
    func answerDuringHandOver() throws {
        let world = HostWorld(loops: 1)
        let client = world.connect()
        let welcome = client.open()
        client.say(#"{"type":"refresh","view":"list","seq":1}"#)
        let (ticket, _) = try #require(world.dispatcher.started.last)
        let other = world.connect()
        other.feed(#"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#)
        // The loop finds the session and releases it. The answer is queued behind the release, and
        // the session behind the answer.
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

    /// Resumes the session of `welcome` with a snapshot. Returns the answer.
    private func comeBack(
        _ welcome: JSONValue, _ sealed: String, to client: HostClient
    ) -> [JSONValue] {
        let resume = HostClient.resume(welcome, extra: #","snapshot":"\#(sealed)""#)
        return client.say(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
    }

    private func sealed(_ told: [JSONValue]) -> String {
        told.last { $0["sealed"] != nil }?["sealed"]?.string ?? ""
    }

    @Test("The resume of a live session without views is refused at once")
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
        "A token becomes void at the end of its window, even if no message is sent and it was used often"
    )
    func oldTokenOfASilentOwner() {
        let world = world()
        let owner = world.connect()
        let old = owner.open()
        // A thief uses the stolen token repeatedly.
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

    @Test("After a lost `welcome`, the client can still resume after 40 s")
    func lateReturn() {
        let world = world()
        let first = world.connect()
        let welcome = first.open()
        let second = world.connect(to: 1)
        // The session answers the message behind `hello` at once, but the client does not receive
        // the answer.
        let hello = #"{"type":"hello","protocol":1,\#(HostClient.resume(welcome))}"#
        second.say(#"[\#(hello),{"type":"ping","t":1}]"#)
        world.pass(milliseconds: 40_000)
        #expect(world.connect().comeBack(welcome)[0]["resumed"]?.bool == true)
    }

    @Test(
        "A late `hello` on an abandoned connection does not take the session away",
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
        // The late connection does not have these items.
        world.answerLast(10)
        #expect(living.take().first("items") != nil)
        let late =
            hasSnapshot
            ? comeBack(welcome, snapshot, to: stalled) : stalled.comeBack(welcome)
        #expect(late[0]["reason"]?.string == "wrongToken")
        #expect(living.channel.closed == nil && world.total.views == 1)
        #expect(living.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        // On a later connection, the client presents the same token, because it did not receive the
        // newer one.
        let received = ["1.1"]
        #expect(world.connect().comeBack(welcome, received: received)[0]["resumed"]?.bool == true)
        #expect(living.channel.closed == .sessionTaken)
    }

    @Test(
        "A void token and its snapshot do not become valid by a resume on another daemon",
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
        // The wall clock may be set back in the meantime.
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
        // The owner can use the newer token on the other daemon, too.
        let back = comeBack(own[0], sealed(own), to: elsewhere.connect())
        #expect(back[0]["resumed"]?.bool == true)
    }

    @Test("A client that misses a `welcome` and resumes elsewhere can still return")
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

    @Test("A client with a newer snapshot gets its session back from a client with an older one")
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

        // The daemon was replaced, and the thief resumes first.
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
        // Neither the stolen pair nor a pair obtained with it lets the thief resume.
        let pairs = [("stolen", old, stolen), ("loot", loot[0], sealed(loot)), ("own", newer, own)]
        for (name, token, text) in pairs {
            let refused = comeBack(token, text, to: after.connect())
            #expect(refused[0]["reason"]?.string == "wrongToken", Comment(rawValue: name))
        }
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
    }
}
