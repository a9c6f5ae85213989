import MessageBus
import RefreshBroker
import RefreshCluster
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshServer

/// `ClusterLoop` without a thread of its own: the test gives it its turns. Its bus does not exist.
@Suite("The turns of a node's part in a cluster", .limit)
struct ClusterLoopTests {
    /// What the loop has reported.
    private final class Reports: Sendable {
        let statuses = Mutex<[ClusterStatus]>([])
        let endCount = Atomic<Int>(0)
    }

    private static let own = NodeID(bits: 0x1A)

    private let daemon: TestDaemon
    private let bus: BusConnection
    private let inbox: ClusterInbox
    private let reports = Reports()

    init() throws {
        daemon = try TestDaemon()
        let server = "nats://127.0.0.1:\(try LocalServer.closedPort())"
        let bus = try BusConnection(BusOptions(name: "test", servers: [server]))
        self.bus = bus
        inbox = ClusterInbox { bus.wake() }
    }

    private func makeLoop() -> ClusterLoop {
        let (parts, own) = (daemon.server.parts, Self.own)
        let host = ClusterHost(
            broker: daemon.server.broker, limiter: parts.connectionLimiter,
            directory: parts.directory, registry: parts.watcherRegistry, log: .silent
        ) { ClusterCensus(sessions: 7, workers: ["songs"]) }
        let store = HeadStore(cluster: "test", own: own, lifetimeMs: 60_000)
        return ClusterLoop(
            ClusterMachine(own: own, name: "web-1", version: "1.0.0", seed: 1),
            SessionFence(own: own, store: store), of: "test", inbox: inbox,
            subjects: ClusterSubjects(cluster: "test"), bus: bus, host: host,
            workers: ClusterWorkers(cluster: "test", own: own) { _ in },
            publishStatus: { [reports] status in reports.statuses.withLock { $0.append(status) } },
            ended: { [reports] in reports.endCount.add(1, ordering: .relaxed) })
    }

    /// Posts a claim, whose 250 ms do not end during the test. The returned list gets its verdict.
    private func claim(_ head: SessionHead) -> Verdicts {
        let (verdicts, later) = (
            Verdicts(), MonotonicTime.now.advanced(byMilliseconds: 3_600_000.0)
        )
        inbox.post(
            .claim("s", head, askedAt: later) { verdict in
                verdicts.all.withLock { $0.append(verdict) }
            })
        return verdicts
    }

    private final class Verdicts: Sendable {
        let all = Mutex<[ClaimVerdict]>([])
    }

    /// Posts a request for the description of the nodes. The returned list gets the answer.
    private func describe() -> Descriptions {
        let descriptions = Descriptions()
        inbox.post(
            .describe { bytes in
                descriptions.all.withLock { $0.append(bytes) }
            })
        return descriptions
    }

    private final class Descriptions: Sendable {
        let all = Mutex<[[UInt8]?]>([])
    }

    @Test("A turn ends at its deadline, takes the census, and leaves messages to `handleMessages`")
    func turn() throws {
        var loop = makeLoop()
        let descriptions = describe()
        let continues = loop.turn(until: MonotonicTime.now)
        #expect(continues && descriptions.all.withLock { $0.isEmpty })
        let handled = [loop.handleMessages(), loop.handleMessages()]
        #expect(handled == [true, false])
        let answers = descriptions.all.withLock { $0 }
        #expect(answers.count == 1)
        let answer = try JSONValue(parsing: answers.first.flatMap(\.self) ?? [])
        #expect(answer["connected"]?.bool == false)
        let nodes = try #require(answer["nodes"]?.array)
        #expect(nodes.map { $0["node"]?.string } == [Self.own.text])
        #expect(nodes.first?["sessions"]?.number == 7)
        #expect(nodes.first?["workers"]?.array?.map(\.string) == ["songs"])
        let status = try #require(reports.statuses.withLock { $0 }.last)
        #expect(!status.isConnected && status.nodes == 1 && status.isFencing == false)
        loop.end()
    }

    @Test("At its end, the claims that wait are answered, and later requests are refused at once")
    func end() throws {
        var loop = makeLoop()
        let head = try #require(SessionHead(ResumeHistory([.init("a", 1)]), received: 1))
        let waiting = claim(head)
        var handled = [loop.handleMessages()]
        // The bus is not connected, and the claim waits for it.
        #expect(waiting.all.withLock { $0.isEmpty })
        inbox.post(.stop)
        handled.append(loop.handleMessages())
        #expect(waiting.all.withLock { $0 } == [.unfenced])
        #expect(claim(head).all.withLock { $0 } == [.unfenced])
        #expect(describe().all.withLock { $0 } == [nil])
        handled.append(loop.handleMessages())
        let continues = loop.turn(until: nil)
        #expect(handled == [true, true, false] && !continues)
        loop.end()
        #expect(reports.endCount.load(ordering: .relaxed) == 1)
        var events: [BusEvent] = []
        let isOpen = bus.receive(into: &events, untilMs: nil)
        #expect(!isOpen)
    }
}
