import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Clients that move between daemons with the same keys. Source: docs/protocol.md, "Sealed
/// snapshots".
@Suite("A client of two daemons")
struct ElsewhereTests {
    /// The wall clock of all daemons.
    private final class Wall: Sendable {
        let milliseconds = Mutex<Int64>(1_795_262_400_000)

        func read() -> Int64 { milliseconds.withLock { $0 } }
    }

    private let wall = Wall()
    private let one: HostWorld
    private let other: HostWorld

    init() {
        let (wall, keys) = (wall, KeyRing.ephemeral())
        func world(drawn: UInt64 = 0) -> HostWorld {
            HostWorld(
                drawn: drawn,
                seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { wall.read() }))
        }
        one = world()
        other = world(drawn: 1000)
        // The monotonic clocks of the two daemons have different origins.
        other.pass(milliseconds: 70_000)
    }

    private func pass(milliseconds: Int64) {
        wall.milliseconds.withLock { $0 += milliseconds }
        for world in [one, other] { world.pass(milliseconds: Double(milliseconds)) }
    }

    /// The data that a client needs to resume.
    private struct Ticket {
        var welcome: JSONValue
        var sealed: String

        init(_ told: [JSONValue], before: Ticket? = nil) {
            welcome = told.first("welcome") ?? before?.welcome ?? .null
            sealed = told.last { $0["sealed"] != nil }?["sealed"]?.string ?? before?.sealed ?? ""
        }
    }

    private func comeBack(
        _ ticket: Ticket, _ received: [String] = ["1.1"], to client: HostClient,
        behind: String = ""
    ) -> [JSONValue] {
        let resume = HostClient.resume(
            ticket.welcome, received: received, extra: #","snapshot":"\#(ticket.sealed)""#)
        return client.say(
            #"[{"type":"hello","protocol":1,"snapshots":true,\#(resume)}\#(behind)]"#)
    }

    /// Returns a client of one daemon that has received a page.
    private func begin() -> (HostClient, Ticket) {
        let client = one.connect()
        var ticket = Ticket([client.open(extra: #","snapshots":true"#)])
        client.say(#"{"type":"refresh","view":"list","seq":2}"#)
        one.answerLast(10)
        ticket = Ticket(client.take(), before: ticket)
        return (client, ticket)
    }

    @Test(
        "A client that returns to a daemon with an older state of its session resumes with the newer one",
        arguments: [true, false])
    func returning(_ isKnownToBeLost: Bool) {
        let (first, ticket) = begin()
        if isKnownToBeLost { first.hangUp() }
        pass(milliseconds: 50)
        let second = other.connect()
        let told = comeBack(
            ticket, to: second, behind: #",{"type":"begin","view":"list","seq":3}"#)
        #expect(told[0]["resumed"]?.bool == true && told[0]["session"] == ticket.welcome["session"])
        var newer = Ticket(told, before: ticket)
        pass(milliseconds: 50)
        newer = Ticket(second.say(#"{"type":"snapshot"}"#), before: newer)
        second.hangUp()

        let third = one.connect(to: 1)
        let again = comeBack(newer, to: third)
        #expect(again[0]["resumed"]?.bool == true && again[0]["ack"]?.number == 3)
        #expect(again[0]["session"] == ticket.welcome["session"])
        #expect(again.first("update")?["top"]?["state"]?.string == "refreshing")
        #expect(again.first("update")?["list"]?["count"]?.number == 10)
        // The older session is removed, and its connection is closed.
        #expect(one.total.views == 1 && one.total.detached == 0)
        if !isKnownToBeLost { #expect(first.channel.closed == .sessionTaken) }
    }

    @Test("A session that lacks items which the client has received is not resumed")
    func olderSession() {
        let first = one.connect()
        var ticket = Ticket([first.open(extra: #","snapshots":true"#)])
        ticket = Ticket(first.say(#"{"type":"snapshot"}"#), before: ticket)
        first.hangUp()
        let second = other.connect()
        let told = comeBack(ticket, [], to: second)
        #expect(told[0]["resumed"]?.bool == true)
        second.say(#"{"type":"refresh","view":"list","seq":3}"#)
        other.answerLast(10)
        let newer = Ticket(second.take(), before: ticket)
        // This daemon has issued another token, and the client presents the previous one.
        let again = comeBack(newer, to: one.connect())
        #expect(again[0]["resumed"]?.bool == false)
        #expect(again[0]["reason"]?.string == "wrongToken")
    }

    @Test("A snapshot with a token that is void on this daemon is refused")
    func void() {
        let (first, ticket) = begin()
        first.hangUp()
        let second = one.connect()
        let newer = comeBack(ticket, to: second)
        #expect(newer[0]["resumed"]?.bool == true)
        pass(milliseconds: 10_000)
        second.say(#"{"type":"ping","t":1}"#)
        second.hangUp()
        let refused = comeBack(ticket, to: one.connect(to: 1))
        #expect(refused[0]["reason"]?.string == "wrongToken")
        let good = Ticket(newer, before: ticket)
        #expect(comeBack(good, to: one.connect())[0]["resumed"]?.bool == true)
    }
}
