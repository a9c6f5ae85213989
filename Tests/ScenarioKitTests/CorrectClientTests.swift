import LoadTesting
import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing
import Workbench

/// Clients without mistakes receive no report of a mistake. Source: docs/protocol.md, "Mistakes of
/// a new client".
@Suite("Clients without mistakes")
struct CorrectClientTests {
    /// The frames of the client that recorded a trace, with their times in milliseconds.
    private static func frames(of trace: TouchTrace) -> [(time: Double, text: String)] {
        String(decoding: trace.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let entry = try? JSONValue(parsing: line), entry["in"]?.string == "frame",
                let text = entry["text"]?.string
            else { return nil }
            return ((entry["at"]?.number ?? 0) / 1000, text)
        }
    }

    @Test(
        "The client of a touch trace has no mistakes", arguments: TouchTrace.all.map(\.name))
    func traces(name: String) async throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let frames = Self.frames(of: trace)
        let start = try #require(frames.first?.time)
        let log = MistakeLog()
        let peer = MistakePeer(
            SessionPeer(feeds: [try SimulatedFeed.demo()], latencyMs: 200), log)
        let base = peer.now
        for frame in frames {
            let due = base.advanced(byMilliseconds: frame.time - start)
            while try await peer.receive(until: due) != nil {}
            try await peer.send(frame.text)
        }
        let end = peer.now.advanced(byMilliseconds: 20_000.0)
        while try await peer.receive(until: end) != nil {}
        #expect(log.mistakes == [])
        // The daemon has answered the client.
        #expect(log.ack > 0)
        await peer.close()
    }

    /// The scenarios whose clients make a mistake: after its release, the list of this one rests
    /// where the finger has left it.
    private static let mistaken = [
        "refresh-release-without-inertia": [DiagnosticCode.springBackMissing]
    ]

    @Test(
        "The clients of the scenarios have no mistakes, except for those that are listed",
        arguments: ScenarioFiles.names)
    func scenarios(name: String) async throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
        let daemon = InProcessDaemon(
            feeds: [try SimulatedFeed.demo()] + scenario.additionalFeeds, latencyMs: 20)
        let log = MistakeLog()
        let result = await ScenarioRunner.run(scenario) { MistakePeer(daemon.connect(), log) }
        // The scenario `session-diagnostics` has a client that must receive none, not even these.
        #expect(result.failure == nil || name == "session-diagnostics")
        #expect(log.mistakes == Self.mistaken[name, default: []], "\(name)")
    }
}
