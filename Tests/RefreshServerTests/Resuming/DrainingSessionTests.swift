import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Tests how a draining daemon closes its sessions, with a simulated clock. Source:
/// docs/operations.md, "Draining".
@Suite("Sessions of a draining daemon")
struct DrainingSessionTests {
    /// The time at which a client's connection was closed, and the announced time of the close.
    /// Both are milliseconds since the drain began.
    private struct DrainedSession {
        var announced: Double
        var closed: Double
    }

    /// Drains a daemon with one loop and this number of clients.
    private static func drainSessions(_ count: Int, spreadMs: Int) throws -> [DrainedSession] {
        let fixture = HostFixture(loops: 1)
        let clients = (0..<count).map { _ in fixture.connect() }
        for client in clients {
            client.open()
            _ = client.receive()
        }
        let begin = fixture.now
        fixture.hosts[0].drain(spreadMs: spreadMs, loadsMs: 600_000, at: begin)
        var sessions = [DrainedSession?](repeating: nil, count: count)
        var received = clients.map { $0.receive() }
        let announced = try received.map { received in
            #expect(received.types.first == "draining")
            return try #require(received[0]["closes"]?.number)
        }
        for millisecond in 0...max(1, spreadMs + 100) {
            for (index, client) in clients.enumerated() where sessions[index] == nil {
                guard let code = client.channel.closed else { continue }
                received[index] += client.receive()
                #expect(code == .draining && received[index].types == ["draining", "error"])
                sessions[index] = DrainedSession(
                    announced: announced[index], closed: fixture.now.milliseconds(since: begin))
            }
            fixture.pass(milliseconds: millisecond == 0 ? 0 : 1)
        }
        return try sessions.map { try #require($0, "a connection was not closed") }
    }

    @Test("Each session is closed at its announced time, and these times are spread over spreadMs")
    func spread() throws {
        let sessions = try Self.drainSessions(500, spreadMs: 2000)
        for session in sessions {
            #expect((0...2000).contains(session.announced))
            #expect((session.announced...session.announced + 2).contains(session.closed))
        }
        // Each tenth of the time contains a tenth of the sessions: 50, with a standard deviation of
        // 7. There are no bursts and no gaps.
        let tenths = Dictionary(grouping: sessions) { min(9, Int($0.announced / 200)) }
        for tenth in 0..<10 {
            #expect((22...78).contains(tenths[tenth]?.count ?? 0), "\(tenth)")
        }
        // The times do not follow the order of the connections: the times of successive connections
        // are far apart.
        let steps = zip(sessions, sessions.dropFirst()).map {
            abs($0.announced - $1.announced)
        }
        #expect(steps.reduce(0, +) / Double(steps.count) > 300)
    }

    @Test(
        "The spread is at most 5 ms for each session of the loop, and spreadMs 0 causes no delay",
        arguments: [(8, 2000, 40.0), (500, 100, 100), (20, 0, 0)])
    func short(count: Int, spreadMs: Int, most: Double) throws {
        let sessions = try Self.drainSessions(count, spreadMs: spreadMs)
        #expect(sessions.allSatisfy { $0.announced <= most && $0.closed <= most + 2 })
        #expect(most == 0 || Set(sessions.map(\.announced)).count > count / 10)
    }

    @Test(
        "If a load does not end within loadsMs, the last snapshot contains it, and the next daemon repeats it with the same idempotency key"
    )
    func handOver() throws {
        let keys = KeyRing.ephemeral()
        func fixture(drawn: UInt64 = 0) -> HostFixture {
            HostFixture(
                drawn: drawn, seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { 0 }))
        }
        let (leaving, staying) = (fixture(), fixture(drawn: 1000))
        let client = leaving.connect()
        let idle = leaving.connect()
        idle.open()
        let welcome = client.open(extra: #","snapshots":true"#)
        client.send(#"{"type":"refresh","view":"list","seq":2}"#)
        leaving.answerLast(10)
        client.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let brokerRequest = try #require(leaving.dispatcher.wishes.last)
        leaving.hosts[0].drain(spreadMs: 100, loadsMs: 400, at: leaving.now)
        #expect(client.receive().types == ["draining", "snapshot"])
        leaving.pass(milliseconds: 399)
        #expect(idle.channel.closed == .draining && client.channel.closed == nil)
        #expect(leaving.dispatcher.cancelled.isEmpty)
        // While a client's load is awaited, the daemon also handles the messages of the client.
        #expect(client.send(#"{"type":"begin","view":"list","seq":4}"#).types.contains("update"))
        leaving.pass(milliseconds: 2)
        #expect(client.channel.closed == .draining)
        let last = client.receive()
        #expect(
            last.types.contains("snapshot") && last.first("error")?["code"]?.string == "draining")
        #expect(last.first("snapshot")?["ack"]?.number == 4)
        let sealed = try #require(last.first("snapshot")?["sealed"]?.string)
        client.hangUp()

        let next = staying.connect()
        let resume = HostClient.resumeMember(
            welcome, received: ["1.1"], ack: 4, extra: #","snapshot":"\#(sealed)""#)
        let received = next.send(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
        #expect(received[0]["resumed"]?.bool == true && received[0]["ack"]?.number == 4)
        #expect(received[0]["session"] == welcome["session"])
        #expect(received.first("loading")?["load"]?.string == "1.2")
        let again = try #require(staying.dispatcher.wishes.first)
        #expect(staying.dispatcher.wishes.count == 1)
        #expect(again.idempotencyKey == brokerRequest.idempotencyKey)
        #expect(again.request.page == 2)
        staying.answerLast(10)
        let items = next.receive().all("items")
        #expect(items.count == 1 && items[0]["load"]?.string == "1.2")
    }
}
