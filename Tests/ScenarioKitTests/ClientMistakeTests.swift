import LoadTesting
import RefreshProtocol
import ScenarioKit
import Testing
import Workbench

/// Clients without mistakes receive no report of a mistake. Source: docs/protocol.md, "Mistakes of
/// a new client".
@Suite("Clients without mistakes")
struct ClientMistakeTests {
    private static let mistakes = Set(DiagnosticCode.allCases.filter { $0.page != nil })

    /// The codes of the mistakes in a frame of the daemon.
    private static func mistakes(in frame: String) -> [DiagnosticCode] {
        guard let value = try? JSONValue(parsing: frame) else { return [] }
        return (value.array ?? [value]).compactMap { message in
            guard message["type"]?.string == "diagnostic" else { return nil }
            return message["code"]?.string.flatMap(DiagnosticCode.init)
        }.filter(mistakes.contains)
    }

    /// Adds the request for diagnostics to a `hello`.
    private static func withDiagnostics(_ frame: String) -> String {
        guard frame.contains(#""hello""#), let value = try? JSONValue(parsing: frame) else {
            return frame
        }
        let messages = (value.array ?? [value]).map { message in
            guard message["type"]?.string == "hello" else { return message }
            var hello = message
            hello["diagnostics"] = .bool(true)
            return hello
        }
        return value.array == nil ? messages[0].text : JSONValue.array(messages).text
    }

    /// A connection whose `hello` requests diagnostics. It keeps the reported mistakes.
    private final class Inspected: Peer {
        private let peer: any Peer
        private(set) var mistakes: [DiagnosticCode] = []

        init(_ peer: any Peer) { self.peer = peer }

        var now: Instant { peer.now }
        var nextDue: Instant? { peer.nextDue }

        func send(_ text: String) async throws(PeerError) {
            try await peer.send(ClientMistakeTests.withDiagnostics(text))
        }
        func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
            let event = try await peer.receive(until: deadline)
            if case .frame(let text) = event {
                mistakes += ClientMistakeTests.mistakes(in: text)
            }
            return event
        }
        func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
            try peer.simulate(word, ofFeed: feed)
        }
        func idle(until deadline: Instant) async throws(PeerError) {
            try await peer.idle(until: deadline)
        }
        func close() async { await peer.close() }
        func cut() async { await peer.cut() }
    }

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
        let peer = Inspected(SessionPeer(feeds: [try SimulatedFeed.demo()], latencyMs: 200))
        let base = peer.now
        for frame in frames {
            let due = base.advanced(byMilliseconds: frame.time - start)
            while try await peer.receive(until: due) != nil {}
            try await peer.send(frame.text)
        }
        let end = peer.now.advanced(byMilliseconds: 20_000.0)
        while try await peer.receive(until: end) != nil {}
        #expect(peer.mistakes == [])
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
        var peers: [Inspected] = []
        _ = await ScenarioRunner.run(scenario) {
            peers.append(Inspected(daemon.connect()))
            return peers.last
        }
        #expect(peers.flatMap(\.mistakes) == Self.mistaken[name, default: []], "\(name)")
    }
}
