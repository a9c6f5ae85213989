import Cryptography
import RefreshBroker
import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Sessions that are rebuilt from snapshots, on a daemon that never had them or has lost a part of
/// their state.
@Suite("A client that resumes with a snapshot")
struct SnapshotResumeTests {
    /// Keeps the snapshots that it seals. The sealed text contains the number of the snapshot.
    final class NumberingSeal: SnapshotSealing {
        private let kept = Mutex<[SessionSnapshot]>([])
        private let isFull: Bool

        init(isFull: Bool = false) { self.isFull = isFull }

        func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
            if isFull { return nil }
            return kept.withLock { kept in
                kept.append(snapshot)
                return SealedText(text: "v1.\(kept.count - 1)", expiresMs: 3_600_000)
            }
        }

        func open(
            _ text: String, for claim: SnapshotClaim, at now: Instant
        ) throws(ResumeRefusal) -> SessionSnapshot {
            let number = Int(text.dropFirst(3)) ?? -1
            let found = kept.withLock { kept in
                kept.indices.contains(number) ? kept[number] : nil
            }
            guard let found else { throw .snapshotInvalid }
            guard found.tokenHash == SHA256.digest(of: Array(claim.token.utf8)) else {
                throw .wrongToken
            }
            guard found.subject == claim.subject else { throw .otherSubject }
            return found
        }
    }

    private static let wanting = #","snapshots":true"#

    private func snapshot(_ messages: [JSONValue]) -> String {
        messages.first("snapshot")?["sealed"]?.string ?? ""
    }

    @Test("A client receives a snapshot together with items, when a load begins, and on request")
    func given() {
        let fixture = HostFixture(seal: NumberingSeal())
        let client = fixture.connect()
        #expect(client.open(extra: Self.wanting)["token"] != nil)
        #expect(client.receive().isEmpty)
        let began = client.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(began.types == ["update", "loading", "snapshot"])
        #expect(began.last?["ack"]?.number == 2 && began.last?["expires"]?.number == 3_600_000)
        fixture.answerLast()
        #expect(client.receive().types == ["update", "items", "snapshot"])
        #expect(client.send(#"{"type":"snapshot"}"#).types == ["snapshot"])
        fixture.pass(milliseconds: 250)
        let both = client.send(#"[{"type":"snapshot"},{"type":"begin","view":"list","seq":3}]"#)
        #expect(both.types == ["update", "snapshot"])
        #expect(client.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        client.hangUp()
    }

    @Test("If a client does not request snapshots, or the daemon has no seal, no snapshot is sent")
    func notGiven() {
        let client = HostFixture(seal: NumberingSeal()).connect()
        client.open()
        #expect(
            client.send(#"{"type":"refresh","view":"list","seq":2}"#).types
                == ["update", "loading"])
        let other = HostFixture().connect()
        other.open(extra: Self.wanting)
        let messages = other.send(
            #"[{"type":"refresh","view":"list","seq":2},{"type":"snapshot"}]"#)
        #expect(messages.types == ["update", "loading", "error"])
        #expect(messages.last?["code"]?.string == "unknownType")
    }

    @Test("A snapshot that would be too large is reported as tooLarge")
    func tooLarge() {
        let fixture = HostFixture(seal: NumberingSeal(isFull: true))
        let client = fixture.connect()
        client.open(extra: Self.wanting)
        let messages = client.send(#"{"type":"snapshot"}"#)
        #expect(messages.types == ["snapshot"] && messages[0]["sealed"] == .null)
        #expect(messages[0]["reason"]?.string == "tooLarge")
    }

    @Test("A daemon without the session rebuilds it from the snapshot and repeats running loads")
    func rebuilt() throws {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let first = before.connect()
        let welcome = first.open(extra: Self.wanting)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        before.answerLast(10)
        _ = first.receive()
        let sealed = snapshot(first.send(#"{"type":"loadMore","view":"list","seq":3}"#))

        let after = HostFixture(seal: seal)
        let second = after.connect(to: 1)
        let messages = second.send(
            #"[{"type":"hello","protocol":1,"snapshots":true,\#(HostClient.resumeMember(welcome, received: ["1.1"], extra: #","snapshot":"\#(sealed)""#))},"#
                + #"{"type":"loadMore","view":"list","seq":3},{"type":"begin","view":"list","seq":4}]"#
        )
        #expect(messages.types == ["welcome", "attached", "update", "loading", "snapshot"])
        #expect(messages[0]["resumed"]?.bool == true && messages[0]["ack"]?.number == 3)
        #expect(messages[0]["session"] == welcome["session"])
        #expect(messages[2]["bottom"]?["state"]?.string == "loading")
        #expect(messages[2]["list"]?["count"]?.number == 10)
        #expect(messages[3]["load"]?.string == "1.2")
        #expect(
            after.dispatcher.wishes.map(\.idempotencyKey)
                == before.dispatcher.wishes.suffix(1).map(\.idempotencyKey))
        after.pass(milliseconds: 40)
        after.answerLast()
        #expect(second.receive().first("items")?["load"]?.string == "1.2")
        #expect(after.total.loadDurations.map(\.durations.sumMicroseconds) == [40_000])
        // From now on, the session behaves like any other. It accepts the new token and, until the
        // client sends a message, the previous one.
        let third = after.connect()
        #expect(third.resume(messages[0], received: ["1.2"])[0]["resumed"]?.bool == true)
    }

    @Test("A snapshot of an ended session is accepted, even before the connection is closed")
    func overNotGone() {
        let fixture = HostFixture(seal: NumberingSeal())
        let first = fixture.connect()
        let welcome = first.open(extra: Self.wanting)
        let sealed = snapshot(first.send(#"{"type":"refresh","view":"list","seq":2}"#))
        first.send(#"{"type":"bye"}"#)
        let resume = HostClient.resumeMember(welcome, extra: #","snapshot":"\#(sealed)""#)
        let messages = fixture.connect(to: 1).send(#"{"type":"hello","protocol":1,\#(resume)}"#)
        #expect(messages[0]["resumed"]?.bool == true)
        // The later end of the old connection does not affect the resumed session.
        first.hangUp()
        #expect(fixture.total.views == 1)
    }

    @Test("If items were lost, the session is rebuilt from the snapshot and loads them again")
    func lostOnTheWay() {
        let fixture = HostFixture(seal: NumberingSeal())
        let first = fixture.connect()
        let welcome = first.open(extra: Self.wanting)
        let sealed = snapshot(first.send(#"{"type":"refresh","view":"list","seq":2}"#))
        fixture.answerLast()
        first.hangUp()
        let second = fixture.connect(to: 1)
        let messages = second.send(
            #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome, extra: #","snapshot":"\#(sealed)""#))}"#
        )
        #expect(messages.types == ["welcome", "attached", "update", "loading"])
        #expect(
            messages[0]["session"] == welcome["session"] && messages[0]["resumed"]?.bool == true)
        #expect(fixture.dispatcher.started.count == 2)
        #expect(fixture.total.views == 1 && fixture.total.detached == 0)
        fixture.answerLast()
        #expect(second.receive().all("items").count == 1)
    }

    @Test("A live session is preferred to its snapshot, and a snapshot of another token is refused")
    func live() {
        let fixture = HostFixture(seal: NumberingSeal())
        let first = fixture.connect()
        let welcome = first.open(extra: Self.wanting)
        let sealed = snapshot(first.send(#"{"type":"refresh","view":"list","seq":2}"#))
        first.send(#"{"type":"cancel","view":"list","seq":3}"#)
        first.hangUp()
        let extra = #","snapshot":"\#(sealed)""#
        let second = fixture.connect(to: 1)
        let messages = second.send(
            #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome, extra: extra))}"#)
        #expect(messages[0]["ack"]?.number == 3)
        fixture.pass(milliseconds: 10_000)
        second.send(#"{"type":"ping","t":1}"#)
        second.hangUp()
        // The snapshot belongs to the previous token. The live session has a newer token.
        let third = fixture.connect()
        let refused = third.send(
            #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome, extra: extra))}"#)
        #expect(refused[0]["reason"]?.string == "wrongToken")
    }

    @Test(
        "An unsuitable snapshot is refused with its reason",
        arguments: [
            (#","snapshot":"v1.0""#, ["1.7"], "snapshotStale"),
            (#","snapshot":"v1.9""#, ["1.1"], "snapshotInvalid"),
            (#","snapshot":"v1.1""#, ["2.1"], "snapshotStale"),
            (#","x":"""#, ["1.1"], "unknownSession"),
        ])
    func refused(_ extra: String, _ received: [String], _ reason: String) {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let first = before.connect()
        let welcome = first.open(extra: Self.wanting)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        before.answerLast()
        let after = HostFixture(seal: seal)
        let messages = after.connect().send(
            #"{"type":"hello","protocol":1,"views":[\#(HostClient.view())],\#(HostClient.resumeMember(welcome, received: received, extra: extra))}"#
        )
        #expect(messages.types == ["welcome", "attached"])
        #expect(messages[0]["reason"]?.string == reason && messages[0]["resumed"]?.bool == false)
        #expect(after.total.views == 1 && after.dispatcher.started.isEmpty)
    }

    @Test("If items were sent and the client names no received items, the snapshot is refused")
    func nothingNamed() {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let first = before.connect()
        let welcome = first.open(extra: Self.wanting)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        before.answerLast()
        let resume = HostClient.resumeMember(welcome, extra: #","snapshot":"v1.1""#)
        let messages = HostFixture(seal: seal).connect().send(
            #"{"type":"hello","protocol":1,\#(resume)}"#)
        #expect(messages.types == ["welcome"] && messages[0]["reason"]?.string == "resultsLost")
    }

    /// Creates a session with two lists that have a page each. Returns the newest snapshot.
    private func twoLists(_ client: HostClient) -> (welcome: JSONValue, sealed: String) {
        let welcome = client.open(extra: Self.wanting, views: ["a", "b"])
        var sealed = ""
        for (seq, view) in [(2, "a"), (3, "b")] {
            client.send(#"{"type":"refresh","view":"\#(view)","seq":\#(seq)}"#)
            client.fixture.answerLast(10)
            client.fixture.pass(milliseconds: 5000)
            sealed = client.receive().last { $0["sealed"] != nil }?["sealed"]?.string ?? ""
        }
        return (welcome, sealed)
    }

    @Test("A list that was attached again after the snapshot does not affect the other lists")
    func attachedAnew() {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let first = before.connect()
        let (welcome, sealed) = twoLists(first)
        first.send(#"{"type":"detach","view":"b","seq":4}"#)
        let attach = #"{"type":"attach","seq":5,"# + HostClient.view("b").dropFirst()
        #expect(first.send(attach).types == ["attached"])

        let after = HostFixture(seal: seal)
        let second = after.connect()
        let resume = HostClient.resumeMember(
            welcome, received: ["1.1"], extra: #","snapshot":"\#(sealed)""#)
        let views = [HostClient.view("a"), HostClient.view("b")].joined(separator: ",")
        let messages = second.send(#"{"type":"hello","protocol":1,"views":[\#(views)],\#(resume)}"#)
        #expect(
            messages[0]["resumed"]?.bool == true && messages[0]["session"] == welcome["session"])
        let attached = messages.all("attached")
        #expect(attached.map { $0["view"]?.string } == ["a", "b"])
        #expect(attached.map { $0["generation"]?.number } == [1, 3])
        let lists = messages.all("update").filter { $0["list"] != nil }
        #expect(lists.map { $0["view"]?.string } == ["a"])
        #expect(lists.first?["list"]?["count"]?.number == 10)
        #expect(after.total.views == 2)
        // The new list is empty, and loads its first page.
        second.send(#"{"type":"loadMore","view":"a","seq":6}"#)
        #expect(after.dispatcher.started.last?.0.load.generation == 1)
        second.send(#"{"type":"refresh","view":"b","seq":7}"#)
        after.answerLast(4)
        #expect(second.receive().first("items")?["load"]?.string == "3.1")
    }

    @Test("A view that the client no longer shows is ignored, even beyond viewsPerSessionMax")
    func notShown() {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let (welcome, sealed) = twoLists(before.connect())
        var limits = Limits()
        limits.viewsPerSessionMax = 1
        let after = HostFixture(limits: limits, seal: seal)
        let resume = HostClient.resumeMember(
            welcome, received: ["1.1"], extra: #","snapshot":"\#(sealed)""#)
        let messages = after.connect().send(
            #"{"type":"hello","protocol":1,"views":[\#(HostClient.view("a"))],\#(resume)}"#)
        #expect(messages[0]["resumed"]?.bool == true)
        #expect(messages.first("update")?["list"]?["count"]?.number == 10)
        #expect(after.total.views == 1 && after.dispatcher.started.isEmpty)
    }

    @Test("If two connections present the same snapshot, only one of them keeps the session")
    func twice() {
        let seal = NumberingSeal()
        let before = HostFixture(seal: seal)
        let first = before.connect()
        let welcome = first.open(extra: Self.wanting)
        let sealed = snapshot(first.send(#"{"type":"refresh","view":"list","seq":2}"#))
        let after = HostFixture(seal: seal)
        let rivals = [after.connect(to: 0), after.connect(to: 1)]
        for rival in rivals {
            rival.feed(
                #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome, extra: #","snapshot":"\#(sealed)""#))}"#
            )
        }
        after.settle()
        // Neither client has proved that it received its new token. The later connection therefore
        // gets the session, and the other one is closed.
        let messages = rivals.map { $0.receive() }
        #expect(messages.allSatisfy { $0.first?["resumed"]?.bool == true })
        #expect(rivals.map { $0.channel.closed == .sessionTaken } == [true, false])
        #expect(after.total.views == 1)
    }
}
