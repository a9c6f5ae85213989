import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import LoadTesting

@Suite("Load tests whose clients lose their connections", .ownThread, .limit)
struct LostConnectionTests {
    private static let connections = 4

    /// Returns the plan of a run of half a second with four clients that come back.
    private static func plan(_ server: ScriptedServer, pace: LoadPlan.Pace) throws -> LoadPlan {
        var plan = LoadPlan(
            targets: [try #require(LoadPlan.Target(url: server.url))],
            gestures: try TouchTrace.builtIn(matching: ["*.stream"]).map { try LoadGesture($0) })
        plan.connections = connections
        plan.pace = pace
        plan.ramp = 0
        plan.warmUp = 0
        plan.duration = 500_000
        plan.endingTimeout = 60_000_000 * Int64(patience)
        // Without an end of its own, a wait for `welcome` exceeds the time limit of a test.
        plan.greetingTimeout = 3_600_000_000
        plan.reconnects = true
        return plan
    }

    @Test("A client whose first connection is lost before `welcome` is greeted on the next one")
    func lostBeforeWelcome() async throws {
        let server = try ScriptedServer { $0.connection == 0 ? .close(1013) : .answer }
        defer { server.stop() }
        let results = try await LoadRun(Self.plan(server, pace: .rate(20))).run()
        let found = results.targets[0]
        let returns = try #require(found.returns)
        #expect(results.isSound, "\(found)")
        #expect(found.connections == Self.connections)
        #expect(found.lost == 1)
        // Each client is greeted once, and this one does not come back from a session.
        #expect(found.greeting?.count == UInt64(Self.connections))
        #expect(returns.times == nil && returns.resumed == 0)
    }

    @Test("A client that ends with a final close code is not back, and the run is not sound")
    func finalClose() async throws {
        let server = try ScriptedServer { $0.number == 0 ? .answer : .close(4002) }
        defer { server.stop() }
        let results = try await LoadRun(Self.plan(server, pace: .rate(20))).run()
        let found = results.targets[0]
        let returns = try #require(found.returns)
        #expect(found.closeCodes == [4002: Self.connections])
        #expect(returns.away == Self.connections)
        // The unanswered messages were interrupted by the close.
        #expect(found.unanswered == 0)
        #expect(!returns.isSound && !results.isSound)
        let json = results.json["targets"]?.array?.first?["returns"]
        #expect(json?["notBack"]?.number == Double(Self.connections))
    }

    @Test("If each client ends with a final close code before `welcome`, the run fails at once")
    func finalCloseBeforeWelcome() async throws {
        let server = try ScriptedServer { _ in .close(4004) }
        defer { server.stop() }
        let plan = try Self.plan(server, pace: .rate(20))
        let failure = await #expect(throws: LoadRunFailure.self) { try await LoadRun(plan).run() }
        #expect(failure?.reason == "it sends no `welcome`: closed with 4004")
        #expect(server.frames.count == Self.connections)
    }

    @Test("In a closed loop, a client that comes back after the measurement sends no message")
    func afterMeasurement() async throws {
        let server = try ScriptedServer { frame in
            guard frame.connection < Self.connections else { return .hold }
            return frame.number == 0 ? .answer : .close(1012)
        }
        defer { server.stop() }
        var plan = try Self.plan(server, pace: .closed)
        plan.pongTimeout = 3_600_000_000
        let results = try await LoadRun(plan) { progress in
            guard progress.stage == .ending else { return }
            let returned = server.frames.count { $0.connection >= Self.connections }
            if returned == Self.connections { server.release() }
        }.run()
        #expect(results.isSound, "\(results.targets[0])")
        #expect(results.targets[0].returns?.resumed == Self.connections)
        let texts = server.framesAfterRelease.map(\.text)
        #expect(texts == Array(repeating: #"{"type":"bye"}"#, count: Self.connections))
    }

    @Test("A client that gets no answer for a while cuts its connection, and comes back")
    func deadConnections() async throws {
        let server = try ScriptedServer { frame in
            frame.connection < Self.connections && frame.number > 0 ? .hold : .answer
        }
        defer { server.stop() }
        var plan = try Self.plan(server, pace: .rate(20))
        plan.pongTimeout = 200_000
        let results = try await LoadRun(plan).run()
        let found = results.targets[0]
        #expect(results.isSound, "\(found)")
        // On a busy machine, an answer of the living connections may be late too.
        #expect(found.lost >= Self.connections)
        #expect(found.closeCodes == [1006: found.lost])
        #expect(found.returns?.resumed ?? 0 >= Self.connections)
    }

    @Test("A client that has nothing to send sends `ping` after each heartbeat")
    func heartbeat() async throws {
        // The measurement may end before the pings on a busy machine. In this case, the test is
        // repeated.
        for _ in 0..<20 {
            let server = try ScriptedServer(heartbeat: 20) { _ in .answer }
            defer { server.stop() }
            // The first gesture begins within an hour.
            var plan = try Self.plan(server, pace: .recorded(speed: 1, pause: 3_600_000_000))
            plan.duration = 2_000_000
            let results = try await LoadRun(plan).run()
            let pings = server.frames.filter { $0.text.hasPrefix(#"{"type":"ping","t":"#) }
            guard Set(pings.map(\.connection)).count == Self.connections else { continue }
            #expect(results.isSound, "\(results.targets[0])")
            #expect(results.targets[0].lost == 0)
            #expect(results.targets[0].sent == 0)
            return
        }
        Issue.record("the clients sent no `ping`")
    }

    @Test("Impossible numbers of a server are counted as unreadable, and make the run unsound")
    func numbers() async throws {
        let messages =
            #"{"type":"update","view":"list","ack":-1e300,"list":{"count":1e300,"more":true}},"#
            + #"{"type":"items","view":"list","load":"1.1","mode":"append","count":-9e99}"#
        let server = try ScriptedServer(message: messages) { _ in .answer }
        defer { server.stop() }
        let results = try await LoadRun(Self.plan(server, pace: .rate(20))).run()
        let found = results.targets[0]
        #expect(!results.isSound)
        #expect(found.answered == found.sent)
        let count = try #require(found.unreadable[.invalidNumber])
        // Each frame counts once, also the answer to `hello`.
        #expect(count >= found.answered + Self.connections)
        let text = results.text { text, _ in text }
        #expect(
            text.contains("\nsent messages with a number that the protocol does not allow, "),
            "\(text)")
    }

    @Test("The error `draining` is counted by itself, and is no fault if clients come back")
    func draining() async throws {
        let error = #"{"type":"error","code":"draining","message":"m","temporary":true}"#
        for reconnects in [true, false] {
            let server = try ScriptedServer(message: error) { _ in .answer }
            defer { server.stop() }
            var plan = try Self.plan(server, pace: .rate(20))
            plan.reconnects = reconnects
            let results = try await LoadRun(plan).run()
            let found = results.targets[0]
            #expect(results.isSound == reconnects, "\(found)")
            guard reconnects else {
                #expect(found.faults["draining"] ?? 0 >= Self.connections)
                continue
            }
            let count = try #require(found.returns?.draining)
            #expect(count >= Self.connections)
            let json = results.json["targets"]?.array?.first?["returns"]
            #expect(json?["draining"]?.number == Double(count))
            let text = results.text { text, _ in text }
            #expect(text.contains("\ndraining "), "\(text)")
        }
    }
}
