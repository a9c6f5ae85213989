import Cryptography
import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import ScenarioKit

/// The bytes that a client without `features` exchanges with the daemon, in every scenario and in
/// every recorded trace of an original library (an iOS library that a profile reproduces). The
/// bytes were recorded before the first feature was added.
///
/// `Fixtures/golden.txt` has one line for each transcript: the SHA-256 of its text, the number of
/// frames, and its name. A test never writes the file. The tests write each transcript to the
/// folder in `GOLDEN_DIR`. To compare a transcript with that of another commit, run the tests at
/// both commits, each time with another folder.
@Suite("Golden bytes", .ownThread)
struct GoldenBytesTests {
    @Test("Without features, each scenario exchanges the recorded bytes")
    func scenarios() async throws {
        var transcripts: [Transcript] = []
        for line in try Self.recorded() where line.name.hasPrefix("scenario ") {
            let name = String(line.name.dropFirst("scenario ".count))
            let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
            transcripts.append(await Self.transcript(of: scenario))
        }
        try Self.compare(transcripts, prefix: "scenario ", atLeast: 128)
    }

    @Test("Without features, each trace of an original library exchanges the recorded bytes")
    func traces() throws {
        var transcripts: [Transcript] = []
        for trace in try LawTrace.all() {
            for profile in trace.profiles {
                var player = LawTracePlayer(trace, profile, keepsWire: true)
                player.play()
                transcripts.append(
                    Transcript(
                        name: "trace \(trace.name) \(profile)",
                        frames: player.playback.stream.wire + player.playback.local.wire))
            }
        }
        try Self.compare(transcripts, prefix: "trace ", atLeast: 83)
    }

    /// Plays a scenario on simulated time and returns the frames of all its connections.
    private static func transcript(of scenario: Scenario) async -> Transcript {
        let log = FrameLog()
        do {
            let feed = try SimulatedFeed.demo(statusFile: "/nonexistent")
            let daemon = InProcessDaemon(feeds: [feed], latencyMs: 20)
            var connections = 0
            _ = await ScenarioRunner.run(scenario) {
                connections += 1
                return LoggedPeer(daemon.connect(), name: "\(connections)", log: log)
            }
        } catch {
            Issue.record("\(scenario.name): \(error)")
        }
        return Transcript(name: "scenario \(scenario.name)", frames: log.frames)
    }

    /// The frames of one session or of several sessions, in order.
    private struct Transcript {
        var name: String
        var frames: [String]

        /// The text without the version of the daemon.
        var text: String {
            frames.joined(separator: "\n")
                .replacing("refreshd/\(DaemonVersion.current)", with: "refreshd")
        }

        var line: String {
            let digest = hexadecimal(SHA256.digest(of: Array(text.utf8)))
            return "\(digest) \(frames.count) \(name)"
        }
    }

    private struct Line {
        var text: String
        var name: String
    }

    private static func recorded() throws -> [Line] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/golden.txt")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map {
            let fields = $0.split(separator: " ", maxSplits: 2)
            return Line(text: String($0), name: String(fields[2]))
        }
    }

    /// Compares each transcript with its recorded line. Transcripts without a recorded line are not
    /// compared. Examples are the transcripts of traces from another folder (`ORACLE_DIR`).
    private static func compare(
        _ transcripts: [Transcript], prefix: String, atLeast minimum: Int
    ) throws {
        let lines = try recorded()
        let folder = ProcessInfo.processInfo.environment["GOLDEN_DIR"] ?? ""
        var compared = 0
        for transcript in transcripts {
            if !folder.isEmpty {
                let name = transcript.name.replacing(" ", with: "-") + ".txt"
                try "\(transcript.line)\n\(transcript.text)\n".write(
                    to: URL(filePath: folder).appending(path: name), atomically: true,
                    encoding: .utf8)
            }
            guard let line = lines.first(where: { $0.name == transcript.name }) else { continue }
            compared += 1
            #expect(transcript.line == line.text)
        }
        #expect(compared >= minimum, "\(compared) transcripts of \(prefix)")
    }

    private final class FrameLog {
        var frames: [String] = []
    }

    /// A connection that records the frames in both directions, byte for byte. The exchanges of a
    /// `ScenarioResult` do not suffice: they contain parsed messages without their frames.
    private final class LoggedPeer: Peer {
        private let peer: SessionPeer
        private let name: String
        private let log: FrameLog

        init(_ peer: SessionPeer, name: String, log: FrameLog) {
            self.peer = peer
            self.name = name
            self.log = log
        }

        var now: Instant { peer.now }

        func send(_ text: String) async throws(PeerError) {
            log.frames.append("\(name) > \(text)")
            try await peer.send(text)
        }

        func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
            let event = try await peer.receive(until: deadline)
            switch event {
            case .frame(let text): log.frames.append("\(name) < \(text)")
            case .closed(let code, let reason):
                log.frames.append("\(name) closed \(code ?? 0) \(reason)")
            case nil: break
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
}
