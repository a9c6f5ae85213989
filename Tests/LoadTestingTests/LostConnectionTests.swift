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
        plan.reconnects = true
        return plan
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
}
