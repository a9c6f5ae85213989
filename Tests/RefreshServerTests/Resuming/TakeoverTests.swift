import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Who may resume a session that another client has resumed. Source: docs/protocol.md, "Coming
/// back"; docs/threat-model.md.
@Suite("A session that two clients claim")
struct TakeoverTests {
    /// The wall clock of all daemons.
    private final class Wall: Sendable {
        let milliseconds = Mutex<Int64>(1_795_262_400_000)

        func read() -> Int64 { milliseconds.withLock { $0 } }
    }

    private let wall = Wall()
    private let keys = KeyRing.ephemeral()

    private func fixture(drawn: UInt64 = 0) -> HostFixture {
        let wall = wall
        return HostFixture(
            drawn: drawn,
            seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { wall.read() }))
    }

    @Test("If a session moves to another connection on its loop, a backend's answer is not lost")
    func answerDuringHandOver() throws {
        let fixture = HostFixture(loops: 1)
        let client = fixture.connect()
        let welcome = client.open()
        client.send(#"{"type":"refresh","view":"list","seq":1}"#)
        let (ticket, _) = try #require(fixture.dispatcher.started.last)
        let other = fixture.connect()
        other.feed(#"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#)
        // The loop finds the session and releases it. The queue of the loop then contains three
        // jobs: for the release, for the answer and for the session, in this order.
        fixture.loops[0].runOne(at: fixture.now)
        fixture.report(.ended(.page(HostFixture.page(3))), of: ticket)
        fixture.settle()
        let messages = other.receive()
        #expect(messages.first("welcome")?["resumed"]?.bool == true)
        #expect(messages.first("items")?["count"]?.number == 3)
        #expect(fixture.total.lateAnswersWithoutSession == 0)
    }

    private func pass(milliseconds: Int64, in fixture: HostFixture) {
        wall.milliseconds.withLock { $0 += milliseconds }
        fixture.pass(milliseconds: Double(milliseconds))
    }

    /// Resumes the session of `welcome` with a snapshot. Returns the messages of the answer.
    private func resumeSession(
        _ welcome: JSONValue, _ sealed: String, to client: HostClient
    ) -> [JSONValue] {
        let resume = HostClient.resumeMember(welcome, extra: #","snapshot":"\#(sealed)""#)
        return client.send(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
    }

    private func sealed(_ received: [JSONValue]) -> String {
        received.last { $0["sealed"] != nil }?["sealed"]?.string ?? ""
    }

    @Test("A resume of a connected session without views is refused, and all loops become idle")
    func aliveWithoutViews() {
        let fixture = fixture()
        let first = fixture.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        let sealed = sealed(first.send(#"{"type":"snapshot"}"#))
        first.send(#"{"type":"detach","view":"list","seq":2}"#)
        let second = fixture.connect(to: 1)
        let resume = HostClient.resumeMember(welcome, extra: #","snapshot":"\#(sealed)""#)
        second.feed(#"{"type":"hello","protocol":1,\#(resume)}"#)
        var jobs = 0
        while let busy = fixture.loops.first(where: { !$0.isIdle }), jobs < 100 {
            busy.runOne(at: fixture.now)
            jobs += 1
        }
        #expect(jobs < 100)
        let received = second.receive()
        #expect(received.first?["reason"]?.string == "unknownSession")
        #expect(first.send(#"{"type":"ping","t":1}"#).types == ["pong"])
    }

    @Test(
        "After resumeWindowMs, a silent client's previous token is void, even if it was used often"
    )
    func oldTokenOfASilentOwner() {
        let fixture = fixture()
        let owner = fixture.connect()
        let old = owner.open()
        // A thief uses the stolen token repeatedly.
        var latest = fixture.connect(to: 1).resume(old)[0]
        for _ in 0..<6 {
            fixture.pass(milliseconds: 9_900)
            let received = fixture.connect(to: 1).resume(old)
            #expect(received[0]["resumed"]?.bool == true)
            latest = received[0]
        }
        fixture.pass(milliseconds: 599)
        latest = fixture.connect().resume(old)[0]
        #expect(latest["resumed"]?.bool == true)
        fixture.pass(milliseconds: 1)
        #expect(fixture.connect().resume(old)[0]["reason"]?.string == "wrongToken")
        #expect(fixture.connect().resume(latest)[0]["resumed"]?.bool == true)
    }

    @Test("A client that did not receive a `welcome` can resume 40 s later")
    func lateResume() {
        let fixture = fixture()
        let first = fixture.connect()
        let welcome = first.open()
        let second = fixture.connect(to: 1)
        // The session answers the message after `hello` at once, but the client does not receive
        // the answer.
        let hello = #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#
        second.send(#"[\#(hello),{"type":"ping","t":1}]"#)
        fixture.pass(milliseconds: 40_000)
        #expect(fixture.connect().resume(welcome)[0]["resumed"]?.bool == true)
    }

    @Test(
        "A late `hello` on an abandoned connection does not take the session from the newer one",
        arguments: [false, true])
    func lateHello(_ hasSnapshot: Bool) {
        let fixture = fixture()
        let first = fixture.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let snapshot = sealed(first.receive() + first.send(#"{"type":"snapshot"}"#))
        first.hangUp()
        fixture.pass(milliseconds: 1)
        let stalled = fixture.connect()
        fixture.pass(milliseconds: 1)
        let active = fixture.connect(to: 1)
        #expect(active.resume(welcome)[0]["resumed"]?.bool == true)
        // The daemon sends these items on the active connection, not on the stalled one.
        fixture.answerLast(10)
        #expect(active.receive().first("items") != nil)
        let late =
            hasSnapshot
            ? resumeSession(welcome, snapshot, to: stalled) : stalled.resume(welcome)
        #expect(late[0]["reason"]?.string == "wrongToken")
        #expect(active.channel.closed == nil && fixture.total.views == 1)
        #expect(active.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        // On a later connection, the client presents the same token, because it did not receive the
        // newer one.
        let received = ["1.1"]
        #expect(fixture.connect().resume(welcome, received: received)[0]["resumed"]?.bool == true)
        #expect(active.channel.closed == .sessionTaken)
    }

    @Test(
        "A void token and its snapshot do not become valid by a resume on another daemon",
        arguments: [0, -90_000])
    func laundered(_ setBack: Int64) {
        let (original, otherDaemon) = (fixture(), fixture(drawn: 1000))
        let first = original.connect()
        let old = first.open(extra: #","snapshots":true"#)
        let stolen = sealed(first.send(#"{"type":"snapshot"}"#))
        first.hangUp()
        pass(milliseconds: 100, in: original)
        let owner = original.connect()
        let own = resumeSession(old, stolen, to: owner)
        pass(milliseconds: 10_000, in: original)
        #expect(owner.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        // The wall clock may be set back in the meantime.
        pass(milliseconds: 60_000, in: original)
        wall.milliseconds.withLock { $0 += setBack }

        let answerToThief = resumeSession(old, stolen, to: otherDaemon.connect())
        #expect(answerToThief[0]["resumed"]?.bool == true)
        pass(milliseconds: 1000, in: otherDaemon)
        for (token, snapshot) in [(old, stolen), (answerToThief[0], sealed(answerToThief))] {
            let received = resumeSession(token, snapshot, to: original.connect(to: 1))
            #expect(received[0]["reason"]?.string == "wrongToken")
        }
        #expect(owner.channel.closed == nil)
        #expect(owner.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        // The owner can use the newer token on the other daemon, too.
        let back = resumeSession(own[0], sealed(own), to: otherDaemon.connect())
        #expect(back[0]["resumed"]?.bool == true)
    }

    @Test("A client that misses a `welcome` and resumes on another daemon can still return")
    func unreceivedWelcome() {
        let (original, otherDaemon) = (fixture(), fixture(drawn: 1000))
        let first = original.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        let snapshot = sealed(first.send(#"{"type":"snapshot"}"#))
        first.hangUp()
        let unreceived = original.connect()
        #expect(resumeSession(welcome, snapshot, to: unreceived)[0]["resumed"]?.bool == true)
        unreceived.hangUp()
        pass(milliseconds: 5_000, in: original)
        let received = resumeSession(welcome, snapshot, to: otherDaemon.connect())
        #expect(received[0]["resumed"]?.bool == true)
        let back = resumeSession(received[0], sealed(received), to: original.connect(to: 1))
        #expect(back[0]["resumed"]?.bool == true && original.total.views == 1)
    }

    @Test("A client with a newer snapshot gets its session back from a client with an older one")
    func olderSnapshotFirst() {
        let before = fixture()
        let first = before.connect()
        let old = first.open(extra: #","snapshots":true"#)
        let stolen = sealed(first.send(#"{"type":"snapshot"}"#))
        first.hangUp()
        pass(milliseconds: 100, in: before)
        let received = resumeSession(old, stolen, to: before.connect())
        let (newer, own) = (received[0], sealed(received))
        #expect(newer["resumed"]?.bool == true)

        // The daemon was replaced, and the thief resumes first.
        let after = fixture(drawn: 1000)
        pass(milliseconds: 60_000, in: after)
        let thief = after.connect()
        let answerToThief = resumeSession(old, stolen, to: thief)
        #expect(answerToThief[0]["resumed"]?.bool == true)
        pass(milliseconds: 20_000, in: after)
        let owner = after.connect(to: 1)
        let back = resumeSession(newer, own, to: owner)
        #expect(back[0]["resumed"]?.bool == true && back[0]["session"] == old["session"])
        #expect(thief.channel.closed == .sessionTaken)
        pass(milliseconds: 20_000, in: after)
        #expect(owner.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        // The thief cannot resume with the stolen token and snapshot, nor with the token and the
        // snapshot that its own resume gave it.
        let pairs = [
            ("stolen", old, stolen), ("thief", answerToThief[0], sealed(answerToThief)),
            ("own", newer, own),
        ]
        for (name, token, text) in pairs {
            let refused = resumeSession(token, text, to: after.connect())
            #expect(refused[0]["reason"]?.string == "wrongToken", Comment(rawValue: name))
        }
        #expect(owner.send(#"{"type":"ping","t":1}"#).types == ["pong"])
    }
}
