import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// How the sessions of a daemon that is about to stop go, on a clock of the test's own. Source:
/// docs/operations.md, "Draining".
@Suite("Sessions of a daemon that stops")
struct DepartureTests {
    /// When a client's connection was closed, and when it was told that it would be; milliseconds
    /// from the order to stop.
    private struct Departure {
        var told: Double
        var closed: Double
    }

    /// Has so many clients of a daemon with one loop go.
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

    @Test("each is closed at the moment that it was told, and those are spread over spreadMs")
    func spread() throws {
        let drainSchedule = try Self.depart(500, spreadMs: 2000)
        for departure in drainSchedule {
            #expect((0...2000).contains(departure.told))
            #expect((departure.told...departure.told + 2).contains(departure.closed))
        }
        // A tenth of the time has a tenth of them, 50 with a deviation of 7: nobody waits for a
        // bulge or a gap.
        let tenths = Dictionary(grouping: drainSchedule) { min(9, Int($0.told / 200)) }
        for tenth in 0..<10 {
            #expect((22...78).contains(tenths[tenth]?.count ?? 0), "\(tenth)")
        }
        // Jitter, no steps in the order of their coming: neighbours are far from each other.
        let steps = zip(drainSchedule, drainSchedule.dropFirst()).map { abs($0.told - $1.told) }
        #expect(steps.reduce(0, +) / Double(steps.count) > 300)
    }

    @Test(
        "the spread is at most 5 ms for each session of the loop, and spreadMs 0 closes all at once",
        arguments: [(8, 2000, 40.0), (500, 100, 100), (20, 0, 0)])
    func short(count: Int, spreadMs: Int, most: Double) throws {
        let drainSchedule = try Self.depart(count, spreadMs: spreadMs)
        #expect(drainSchedule.allSatisfy { $0.told <= most && $0.closed <= most + 2 })
        #expect(most == 0 || Set(drainSchedule.map(\.told)).count > count / 10)
    }

    @Test(
        "a load that does not end within loadsMs is handed over: the snapshot at the close has it, and the next daemon asks for it with the same idempotency key"
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
        // What it says while it is waited for counts too.
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
