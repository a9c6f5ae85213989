import Glibc
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import LoadTesting

@Suite("Load tests", .ownThread, .limit)
struct LoadRunTests {
    private static func gestures(_ pattern: String = "*.stream") throws -> [LoadGesture] {
        try TouchTrace.builtIn(matching: [pattern]).map { try LoadGesture($0) }
    }

    /// Returns the plan of a run of half a second with a few clients.
    private static func plan(
        _ urls: String..., gestures: [LoadGesture]? = nil, pace: LoadPlan.Pace
    ) throws -> LoadPlan {
        let targets = try urls.map { try #require(LoadPlan.Target(url: $0)) }
        var plan = LoadPlan(targets: targets, gestures: try gestures ?? Self.gestures())
        plan.connections = 4
        plan.pace = pace
        plan.ramp = 0
        plan.warmUp = 0
        plan.duration = 500_000
        plan.endingTimeout = 60_000_000 * Int64(patience)
        return plan
    }

    /// Starts a whole daemon with the demo's feed.
    private static func daemon() throws -> (server: Server, url: String) {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        flags.loops = 1
        flags.demo = true
        let file = try ConfigurationFile(
            text: "limits: { framesPerSecondMax: 1000000, receivedBytesPerSecondMax: 1000000000 }",
            path: "refreshd.yaml")
        let server = try Server(Configuration(flags: flags, file: file), log: .silent)
        server.start()
        let port = try #require(server.listeners.first?.port)
        return (server, "ws://127.0.0.1:\(port)/v1/session")
    }

    @Test("A daemon answers all gestures of clients that wait for each answer, without faults")
    func closedLoop() async throws {
        let (server, url) = try Self.daemon()
        defer { server.stop() }
        var plan = try Self.plan(url, pace: .closed)
        plan.connections = 8
        plan.threads = 2
        plan.targets[0].process = getpid()
        let findings = try await LoadRun(plan).run()
        let target = findings.targets[0]
        #expect(findings.isSound, "\(target)")
        #expect(target.connections == 8)
        #expect(target.sent > 0)
        #expect(target.latency?.count == UInt64(target.answered))
        let latency = try #require(target.latency)
        #expect(latency.p50 > 0 && latency.p50 <= latency.max)
        #expect(target.bytesReceived > 0)
        let share = try #require(target.server)
        #expect(share.residentAfter > 1_000_000)
    }

    @Test("Clients of each kind cause no faults at a pace far above the recorded one")
    func allKinds() async throws {
        let (server, url) = try Self.daemon()
        defer { server.stop() }
        var plan = try Self.plan(
            url, gestures: Self.gestures("*"), pace: .recorded(speed: 20, pause: 10_000))
        plan.connections = 30
        let findings = try await LoadRun(plan).run()
        let target = findings.targets[0]
        #expect(findings.isSound, "\(target)")
        #expect(target.sent > 0)
    }

    @Test(
        "In an open loop, clients keep their schedule while the server hangs, and latencies grow"
    )
    func stall() async throws {
        let frames = 400
        // The measurement may end before the server has received all the frames that it is to hold.
        // In this case, the test is repeated.
        for _ in 0..<20 {
            let server = try PongingServer()
            defer { server.stop() }
            var plan = try Self.plan(server.url, pace: .rate(100))
            plan.duration = 4_000_000
            let findings = try await LoadRun(plan) { progress in
                if progress.stage == .measuring { server.hold(untilFrames: frames) }
                if progress.stage == .ending { server.release() }
            }.run()
            guard server.held == frames else { continue }
            let target = findings.targets[0]
            #expect(findings.isSound)
            // Each of four clients sends a hundred frames a second for four seconds. While answers
            // are missing, the clients do not send more often.
            #expect(target.sent <= 1604)
            #expect(target.answered == target.sent)
            // The held frames are due at equal intervals over a second. The server answers all
            // these frames at the end of this second.
            let latency = try #require(target.latency)
            #expect(latency.max >= 980_000)
            #expect(latency.p90 >= 580_000)
            return
        }
        Issue.record("the server did not freeze in time")
    }

    @Test("In a closed loop, each client measures only one long latency while the server hangs")
    func closedStall() async throws {
        // The measurement may end before the server holds any frame. In this case, the test is
        // repeated.
        for _ in 0..<20 {
            let server = try PongingServer()
            defer { server.stop() }
            var plan = try Self.plan(server.url, pace: .closed)
            plan.duration = 3_000_000
            let times = Atomic(0)
            let findings = try await LoadRun(plan) { progress in
                if progress.stage == .measuring { server.hold(untilFrames: .max) }
                // The progress is reported twice a second. The server answers at the second report
                // while all clients wait, so they wait for at least half a second.
                guard server.held == 4 else { return }
                if times.add(1, ordering: .relaxed).newValue == 2 { server.release() }
            }.run()
            guard server.held > 0 else { continue }
            #expect(findings.isSound)
            #expect(server.held == 4)
            let latency = try #require(findings.targets[0].latency)
            #expect(latency.max >= 490_000)
            return
        }
        Issue.record("the server did not freeze in time")
    }

    @Test("Connections are opened evenly over the ramp, before the measurement")
    func ramp() async throws {
        let server = try PongingServer()
        defer { server.stop() }
        var plan = try Self.plan(server.url, pace: .rate(10))
        plan.connections = 10
        plan.ramp = 2_000_000
        plan.duration = 100_000
        let begin = MonotonicClock.nowMicroseconds
        let findings = try await LoadRun(plan).run()
        let opened = server.opened
        #expect(opened.count == 10)
        for (place, at) in opened.enumerated() {
            #expect(at - begin >= Int64(place) * 200_000, "a connection was opened too early")
        }
        #expect(findings.targets[0].connections == 10)
        #expect(findings.targets[0].lost == 0)
    }

    @Test("A frame that answers several messages counts as an answer to each of them")
    func severalAtOnce() async throws {
        let server = try PongingServer(answersEveryMs: 40)
        defer { server.stop() }
        var plan = try Self.plan(server.url, pace: .rate(200))
        // The warm-up is long, because the server also delays its first answer to each client, and
        // the client sends nothing more before this answer.
        plan.warmUp = 500_000
        let findings = try await LoadRun(plan).run()
        let target = findings.targets[0]
        #expect(findings.isSound, "\(target)")
        // Each of four clients sends at most two hundred frames a second for half a second.
        #expect((1...404).contains(target.sent))
        #expect(server.answers < server.frames.count / 2)
    }

    @Test("The queue returns all turns to send before a given time, in any order of insertion")
    func dueTurns() {
        var turns = TurnQueue()
        for at in [7, 3, 9, 1, 5] as [Int64] {
            turns.insert(TurnQueue.Turn(at: at, number: Int(at)))
        }
        #expect(turns.due(before: 7).map(\.number).sorted() == [1, 3, 5])
        turns.removeFirst()
        #expect(turns.due(before: 7).count == 2)
        #expect(turns.due(before: 1).isEmpty)
    }

    @Test("Two targets get the same clients")
    func against() async throws {
        let first = try PongingServer()
        let second = try PongingServer()
        defer {
            first.stop()
            second.stop()
        }
        let findings = try await LoadRun(
            Self.plan(first.url, second.url, pace: .rate(100))
        ).run()
        #expect(findings.targets.map(\.url) == [first.url, second.url])
        #expect(findings.targets.map(\.connections) == [4, 4])
        #expect(abs(findings.targets[0].sent - findings.targets[1].sent) <= 4)
        let kinds = [first, second].map { server in
            Set(server.frames.filter { $0.starts(with: Array(#"[{"type":"hello""#.utf8)) })
        }
        #expect(kinds[0] == kinds[1])
        let text = findings.text { text, _ in text }
        #expect(text.contains("B to A"))
    }

    @Test("Unanswered frames and faults are counted, and make the run unsound")
    func failures() async throws {
        let server = try PongingServer(silentFrom: 20, fault: "staleSequence")
        defer { server.stop() }
        var plan = try Self.plan(server.url, pace: .rate(100))
        plan.endingTimeout = 1_000_000
        let findings = try await LoadRun(plan).run()
        let target = findings.targets[0]
        #expect(!findings.isSound)
        #expect(target.unanswered > 0)
        #expect(target.faults == ["staleSequence": 19])
        let text = findings.text { text, _ in text }
        #expect(text.contains("fault staleSequence, 19 times"))
    }

    @Test("If a server sends only invalid messages, the report has the reason and no latency")
    func odd() async throws {
        let server = try PongingServer(silentFrom: 5, isOdd: true)
        defer { server.stop() }
        var plan = try Self.plan(server.url, pace: .rate(20))
        plan.endingTimeout = 100_000
        let findings = try await LoadRun(plan).run()
        let target = findings.targets[0]
        #expect(target.connections == 4)
        #expect(target.latency == nil)
        #expect(target.answered == 0)
        #expect((target.unreadable[.binary] ?? 0) > 0)
        #expect(target.unreadable[.binary] == target.unreadable[.noMessage])
        #expect(!findings.isSound)
        let text = findings.text { text, _ in text }
        let count = target.unreadable[.binary] ?? 0
        #expect(text.contains("\nsent binary frames, \(count) times\n"), "\(text)")
        #expect(
            text.contains("\nsent text that is not a JSON message or batch, \(count) times\n")
        )
    }

    @Test("After the measurement, each client sends `bye`, and no client counts as lost")
    func serverCloses() async throws {
        let server = try PongingServer()
        defer { server.stop() }
        let findings = try await LoadRun(Self.plan(server.url, pace: .closed)).run()
        #expect(server.byes == 4)
        #expect(findings.isSound)
        #expect(findings.targets[0].closeCodes.isEmpty)
    }

    @Test("If there is no server, the run fails and measures nothing")
    func noServer() async throws {
        let plan = try Self.plan("ws://127.0.0.1:1/v1/session", pace: .closed)
        let failure = await #expect(throws: LoadRunFailure.self) { try await LoadRun(plan).run() }
        #expect(failure?.url == "ws://127.0.0.1:1/v1/session")
    }

    @Test("If the upgrade is refused, the failure contains the status")
    func refused() async throws {
        let (server, url) = try Self.daemon()
        defer { server.stop() }
        let plan = try Self.plan(url.replacing("/v1/session", with: "/none"), pace: .closed)
        let failure = await #expect(throws: LoadRunFailure.self) { try await LoadRun(plan).run() }
        #expect(failure?.reason == "the upgrade was refused with status 404")
    }
}
