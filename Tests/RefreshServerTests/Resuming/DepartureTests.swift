import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// How the sessions of a daemon that drains are closed, with a simulated clock. Source:
/// docs/operations.md, "Draining".
@Suite("Sessions of a draining daemon")
struct DepartureTests {
    /// When a client's connection was closed, and the announced time of the close. Both are
    /// milliseconds since the drain began.
    private struct Departure {
        var told: Double
        var closed: Double
    }

    /// Drains a daemon with one loop and this number of clients.
    private static func depart(_ count: Int, spreadMs: Int) throws -> [Departure] {
        let world = HostWorld(loops: 1)
        let clients = (0..<count).map { _ in world.connect() }
        for client in clients {
            client.open()
            _ = client.take()
        }
        let begin = world.now
        world.hosts[0].drain(spreadMs: spreadMs, loadsMs: 600_000, at: begin)
        var drainSchedule = [Departure?](repeating: nil, count: count)
        var words = clients.map { $0.take() }
        let told = try words.map { words in
            #expect(words.types.first == "draining")
            return try #require(words[0]["closes"]?.number)
        }
        for millisecond in 0...max(1, spreadMs + 100) {
            for (index, client) in clients.enumerated() where drainSchedule[index] == nil {
                guard let code = client.channel.closed else { continue }
                words[index] += client.take()
                #expect(code == .draining && words[index].types == ["draining", "error"])
                drainSchedule[index] = Departure(
                    told: told[index], closed: world.now.milliseconds(since: begin))
            }
            world.pass(milliseconds: millisecond == 0 ? 0 : 1)
        }
        return try drainSchedule.map { try #require($0, "one was not closed") }
    }

    @Test("Each session is closed at its announced time, and these times are spread over spreadMs")
    func spread() throws {
        let drainSchedule = try Self.depart(500, spreadMs: 2000)
        for departure in drainSchedule {
            #expect((0...2000).contains(departure.told))
            #expect((departure.told...departure.told + 2).contains(departure.closed))
        }
        // Each tenth of the time contains a tenth of the sessions: 50, with a standard deviation of
        // 7. There are no bursts and no gaps.
        let tenths = Dictionary(grouping: drainSchedule) { min(9, Int($0.told / 200)) }
        for tenth in 0..<10 {
            #expect((22...78).contains(tenths[tenth]?.count ?? 0), "\(tenth)")
        }
        // The times are random, not in the order of the connections: neighbours are far apart.
        let steps = zip(drainSchedule, drainSchedule.dropFirst()).map { abs($0.told - $1.told) }
        #expect(steps.reduce(0, +) / Double(steps.count) > 300)
    }

    @Test(
        "The spread is at most 5 ms for each session of the loop, and spreadMs 0 closes all at once",
        arguments: [(8, 2000, 40.0), (500, 100, 100), (20, 0, 0)])
    func short(count: Int, spreadMs: Int, most: Double) throws {
        let drainSchedule = try Self.depart(count, spreadMs: spreadMs)
        #expect(drainSchedule.allSatisfy { $0.told <= most && $0.closed <= most + 2 })
        #expect(most == 0 || Set(drainSchedule.map(\.told)).count > count / 10)
    }

    @Test(
        "If a load does not end within loadsMs, the last snapshot contains it, and the next daemon repeats it with the same idempotency key"
    )
    func handOver() throws {
        let keys = KeyRing.ephemeral()
        func world(drawn: UInt64 = 0) -> HostWorld {
            HostWorld(
                drawn: drawn, seal: SnapshotSeal(keys, limits: Limits(), wallMilliseconds: { 0 }))
        }
        let (leaving, staying) = (world(), world(drawn: 1000))
        let client = leaving.connect()
        let idle = leaving.connect()
        idle.open()
        let welcome = client.open(extra: #","snapshots":true"#)
        client.say(#"{"type":"refresh","view":"list","seq":2}"#)
        leaving.answerLast(10)
        client.say(#"{"type":"loadMore","view":"list","seq":3}"#)
        let asked = try #require(leaving.dispatcher.wishes.last)
        leaving.hosts[0].drain(spreadMs: 100, loadsMs: 400, at: leaving.now)
        #expect(client.take().types == ["draining", "snapshot"])
        leaving.pass(milliseconds: 399)
        #expect(idle.channel.closed == .draining && client.channel.closed == nil)
        #expect(leaving.dispatcher.cancelled.isEmpty)
        // Messages from the client still count while its load is awaited.
        #expect(client.say(#"{"type":"begin","view":"list","seq":4}"#).types.contains("update"))
        leaving.pass(milliseconds: 2)
        #expect(client.channel.closed == .draining)
        let last = client.take()
        #expect(
            last.types.contains("snapshot") && last.first("error")?["code"]?.string == "draining")
        #expect(last.first("snapshot")?["ack"]?.number == 4)
        let sealed = try #require(last.first("snapshot")?["sealed"]?.string)
        client.hangUp()

        let next = staying.connect()
        let resume = HostClient.resume(
            welcome, received: ["1.1"], ack: 4, extra: #","snapshot":"\#(sealed)""#)
        let told = next.say(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
        #expect(told[0]["resumed"]?.bool == true && told[0]["ack"]?.number == 4)
        #expect(told[0]["session"] == welcome["session"])
        #expect(told.first("loading")?["load"]?.string == "1.2")
        let again = try #require(staying.dispatcher.wishes.first)
        #expect(staying.dispatcher.wishes.count == 1)
        #expect(again.idempotencyKey == asked.idempotencyKey)
        #expect(again.request.page == 2)
        staying.answerLast(10)
        let items = next.take().all("items")
        #expect(items.count == 1 && items[0]["load"]?.string == "1.2")
    }
}
