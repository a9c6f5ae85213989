import RefreshBroker
import RefreshProtocol
import RefreshServer
import Testing
import WebClient
import WebSocketTransport

@testable import RefreshScenario

@Suite("Touch traces")
struct TouchTraceTests {
    @Test("Each replays byte for byte, to its end", arguments: TouchTrace.all.map(\.name))
    func replays(name: String) throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let verdict = try JournalReplay.run(trace.bytes)
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.isClosed)
        #expect(verdict.inputs > 10 && verdict.outputs > 10)
    }

    @Test(
        "Each agrees with a daemon of today, at the pace of the hand",
        arguments: TouchTrace.all.map(\.name))
    func agrees(name: String) async throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let dialer = try Dialer()
        defer { dialer.stop() }
        let replay = SocketReplay(url: "ws://simulated", dialer: dialer, patienceMs: 30_000)
        // Between two samples that the hand gave a millisecond apart a clock of its own has an
        // answer come always, or never; a real one does now so, now otherwise.
        let verdict = try await replay.play(
            try replay.journal(trace.bytes), over: SimulatedLine(try Self.packages()))
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.inputs >= 8 && verdict.outputs > 10, "\(verdict.text)")
    }

    /// The pages that the traces were recorded with.
    private static func packages() throws -> SimulatedFeed {
        let all = try JSONValue(parsing: WebClient.packagesJSON).array ?? []
        let items = JSONValue.array(Array(all[..<44])).text
        let backend = try DemoBackend(
            statusFile: "/nonexistent", fallback: Array(items.utf8), paging: .page, firstPage: 1)
        let description = FeedDescription(
            name: "packages", parameters: [], style: .page, first: 1, size: 16)
        return SimulatedFeed(description: description, backend: backend)
    }

    /// A daemon on simulated time, whose backend takes longer than a hand between two samples.
    private final class SimulatedLine: ReplayLine {
        private let peer: SessionPeer

        init(_ feed: SimulatedFeed) { peer = SessionPeer(feeds: [feed], latencyMs: 40) }

        var nowMicroseconds: Int64 { peer.now.microseconds }

        func receive(within limit: Duration) async -> DialedEvent {
            let deadline = peer.now.advanced(byMilliseconds: limit / .milliseconds(1))
            switch try? await peer.receive(until: deadline) {
            case nil: return .timedOut
            case .frame(let text): return .message(Array(text.utf8), isBinary: false)
            case .closed(let code, let reason):
                return .closed(code: code ?? 1_005, reason: reason)
            }
        }

        func say(_ text: String?) async {
            do { try await peer.send(text ?? "") } catch { Issue.record("\(error.message)") }
        }
    }

    @Test("There are ten at least, and none tells a token")
    func masked() throws {
        #expect(TouchTrace.all.count >= 10)
        for trace in TouchTrace.all {
            let text = String(decoding: trace.bytes, as: UTF8.self)
            for part in text.split(separator: #"\"token\":\""#).dropFirst() {
                #expect(part.hasPrefix("AAAAAAAAAAAAAAAAAAAAAA\\"), "\(trace.name)")
            }
        }
    }
}
