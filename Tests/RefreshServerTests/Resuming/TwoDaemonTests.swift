import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Clients that move between daemons with the same keys. Source: docs/protocol.md, "Sealed
/// snapshots".
@Suite("A client of two daemons")
struct TwoDaemonTests {
    /// The wall clock of all daemons.
    private final class Wall: Sendable {
        let milliseconds = Mutex<Int64>(1_795_262_400_000)

        func read() -> Int64 { milliseconds.withLock { $0 } }
    }

    private let wall = Wall()
    private let one: HostFixture
    private let other: HostFixture
    /// A node of a cluster.
    private let node: HostFixture

    init() {
        let (wall, keys) = (wall, KeyRing.ephemeral())
        func fixture(drawn: UInt64 = 0, isClustered: Bool = false) -> HostFixture {
            HostFixture(
                drawn: drawn, isClustered: isClustered,
                seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { wall.read() }))
        }
        one = fixture()
        other = fixture(drawn: 1000)
        node = fixture(drawn: 2000, isClustered: true)
        // The monotonic clocks of the two daemons have different origins.
        other.pass(milliseconds: 70_000)
    }

    private func pass(milliseconds: Int64) {
        wall.milliseconds.withLock { $0 += milliseconds }
        for fixture in [one, other] { fixture.pass(milliseconds: Double(milliseconds)) }
    }

    /// The data that a client needs to resume.
    private struct Ticket {
        var welcome: JSONValue
        var sealed: String

        init(_ received: [JSONValue], before: Ticket? = nil) {
            welcome = received.first("welcome") ?? before?.welcome ?? .null
            sealed =
                received.last { $0["sealed"] != nil }?["sealed"]?.string ?? before?.sealed ?? ""
        }
    }

    private func resumeSession(
        _ ticket: Ticket, _ received: [String] = ["1.1"], to client: HostClient,
        behind: String = ""
    ) -> [JSONValue] {
        let resume = HostClient.resumeMember(
            ticket.welcome, received: received, extra: #","snapshot":"\#(ticket.sealed)""#)
        return client.send(
            #"[{"type":"hello","protocol":1,"snapshots":true,\#(resume)}\#(behind)]"#)
    }

    /// Returns a client of one daemon that has received a page.
    private func begin() -> (HostClient, Ticket) {
        let client = one.connect()
        var ticket = Ticket([client.open(extra: #","snapshots":true"#)])
        client.send(#"{"type":"refresh","view":"list","seq":2}"#)
        one.answerLast(10)
        ticket = Ticket(client.receive(), before: ticket)
        return (client, ticket)
    }

    @Test(
        "On a daemon that has an older state of the session, a client resumes the newer state",
        arguments: [true, false])
    func returning(_ isKnownToBeLost: Bool) {
        let (first, ticket) = begin()
        if isKnownToBeLost { first.hangUp() }
        pass(milliseconds: 50)
        let second = other.connect()
        let received = resumeSession(
            ticket, to: second, behind: #",{"type":"begin","view":"list","seq":3}"#)
        #expect(
            received[0]["resumed"]?.bool == true
                && received[0]["session"] == ticket.welcome["session"])
        var newer = Ticket(received, before: ticket)
        pass(milliseconds: 50)
        newer = Ticket(second.send(#"{"type":"snapshot"}"#), before: newer)
        second.hangUp()

        let third = one.connect(to: 1)
        let again = resumeSession(newer, to: third)
        #expect(again[0]["resumed"]?.bool == true && again[0]["ack"]?.number == 3)
        #expect(again[0]["session"] == ticket.welcome["session"])
        #expect(again.first("update")?["top"]?["state"]?.string == "refreshing")
        #expect(again.first("update")?["list"]?["count"]?.number == 10)
        // The older session is removed, and its connection is closed.
        #expect(one.total.views == 1 && one.total.detached == 0)
        if !isKnownToBeLost { #expect(first.channel.closed == .sessionTaken) }
    }

    @Test("A session that a snapshot brings to a node of a cluster learns of the node's changes")
    func missedChanges() {
        for (fixture, isChanged) in [(node, false), (node, true), (other, true)] {
            if isChanged { fixture.directory.feedChanged(FeedChange("songs")) }
            fixture.settle()
            let (first, ticket) = begin()
            first.hangUp()
            let received = resumeSession(ticket, to: fixture.connect())
            #expect(received[0]["resumed"]?.bool == true)
            let isClustered = fixture === node
            #expect(received.contains { $0["newer"]?.bool == true } == (isChanged && isClustered))
        }
    }

    @Test("A session that lacks items which the client has received is not resumed")
    func olderSession() {
        let first = one.connect()
        var ticket = Ticket([first.open(extra: #","snapshots":true"#)])
        ticket = Ticket(first.send(#"{"type":"snapshot"}"#), before: ticket)
        first.hangUp()
        let second = other.connect()
        let received = resumeSession(ticket, [], to: second)
        #expect(received[0]["resumed"]?.bool == true)
        second.send(#"{"type":"refresh","view":"list","seq":3}"#)
        other.answerLast(10)
        let newer = Ticket(second.receive(), before: ticket)
        // The other daemon has issued a newer token, and has sealed the newer snapshot for this
        // token. But the client presents its older token.
        let again = resumeSession(newer, to: one.connect())
        #expect(again[0]["resumed"]?.bool == false)
        #expect(again[0]["reason"]?.string == "wrongToken")
    }

    @Test("A snapshot with a token that is void on this daemon is refused")
    func void() {
        let (first, ticket) = begin()
        first.hangUp()
        let second = one.connect()
        let newer = resumeSession(ticket, to: second)
        #expect(newer[0]["resumed"]?.bool == true)
        pass(milliseconds: 10_000)
        second.send(#"{"type":"ping","t":1}"#)
        second.hangUp()
        let refused = resumeSession(ticket, to: one.connect(to: 1))
        #expect(refused[0]["reason"]?.string == "wrongToken")
        let good = Ticket(newer, before: ticket)
        #expect(resumeSession(good, to: one.connect())[0]["resumed"]?.bool == true)
    }
}
