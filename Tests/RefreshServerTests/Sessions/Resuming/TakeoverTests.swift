import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshServer

/// Who may have a session that somebody else has by now. Source: docs/protocol.md, "Coming back"; docs/threat-model.md.
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
        "ten seconds after the first welcome that replaced it a token is void, also if the owner says nothing"
    )
    func oldTokenOfASilentOwner() {
        let world = world()
        let owner = world.connect()
        let old = owner.open()
        // A thief comes again and again with the token that was stolen.
        var latest = world.connect(to: 1).comeBack(old)[0]
        for _ in 0..<3 {
            world.pass(milliseconds: 3000)
            let told = world.connect(to: 1).comeBack(old)
            #expect(told[0]["resumed"]?.bool == true)
            latest = told[0]
        }
        world.pass(milliseconds: 999)
        latest = world.connect().comeBack(old)[0]
        #expect(latest["resumed"]?.bool == true)
        world.pass(milliseconds: 1)
        #expect(world.connect().comeBack(old)[0]["reason"]?.string == "wrongToken")
        #expect(world.connect().comeBack(latest)[0]["resumed"]?.bool == true)
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
        // Neither the old pair nor what it was good for brings the session back to the thief.
        let pairs = [("stolen", old, stolen), ("loot", loot[0], sealed(loot)), ("own", newer, own)]
        for (name, token, text) in pairs {
            let refused = comeBack(token, text, to: after.connect())
            #expect(refused[0]["reason"]?.string == "wrongToken", Comment(rawValue: name))
        }
        #expect(owner.say(#"{"type":"ping","t":1}"#).types == ["pong"])
    }
}
